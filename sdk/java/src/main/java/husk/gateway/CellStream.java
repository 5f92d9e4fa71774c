package husk.gateway;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// What a piece of code puts out, as it comes; the last item is the result. For one thread.
///
/// If the code raises an error or takes too long, [#hasNext] and [#next] throw it, as an
/// [ExecutionError] or [ExecutionTimeout] that holds all there was. Closing a stream before its end
/// interrupts the code.
public final class CellStream implements Iterator<CellOutput>, AutoCloseable {
  private final KernelLine line;
  private final Cell cell;
  private @Nullable CellOutput next;
  private boolean over;

  CellStream(KernelLine line, Cell cell) {
    this.line = line;
    this.cell = cell;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !over) {
      next = fetch();
    }
    return next != null;
  }

  @Override
  public CellOutput next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException("the code has ended");
    }
    var given = next;
    next = null;
    return given;
  }

  /// The same as a [Stream], to be closed too.
  public Stream<CellOutput> stream() {
    var items = Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED);
    return StreamSupport.stream(items, false).onClose(this::close);
  }

  private CellOutput fetch() {
    try {
      return switch (cell.next()) {
        case Cell.Event.Chunk(var text) -> new CellOutput.Text(text);
        case Cell.Event.Ended(var outcome) -> {
          over = true;
          yield result(outcome);
        }
      };
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new ExecutionError(
          ExecutionError.CANCELLED,
          "the thread that waited for it was interrupted",
          List.of(),
          cell.soFar());
    }
  }

  private CellOutput result(Outcome outcome) {
    var soFar = cell.soFar();
    return switch (outcome) {
      case Outcome.Well _ -> new CellOutput.Result(soFar);
      case Outcome.Raised(var ename, var evalue, var traceback) ->
          throw new ExecutionError(ename, evalue, traceback, soFar);
      case Outcome.TooLate(var limit, var begun) -> throw new ExecutionTimeout(limit, begun, soFar);
      case Outcome.Failed(var problem) -> throw problem;
    };
  }

  /// Interrupts the code if it has not ended.
  @Override
  public void close() {
    if (over) {
      return;
    }
    over = true;
    try {
      line.cancel(cell);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
