package husk.api.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One reader's place in a [Spool]. For one thread at a time; it needs no closing.
public final class SpoolReader {
  private static final Duration LONG = Duration.ofHours(1);

  private final Spool spool;
  private long sequence;
  private ByteBuffer record = ByteBuffer.allocate(0);

  /// The page it read last, so that one on disk is loaded once.
  private @Nullable Page page;

  private ByteBuffer loaded = ByteBuffer.allocate(0);
  private boolean complete;
  private int at;

  SpoolReader(Spool spool, long sequence) {
    this.spool = spool;
    this.sequence = sequence;
  }

  /// The number of the record that [#next] gives.
  public long sequence() {
    return sequence;
  }

  /// Goes on with the oldest record there is, if the next one has been forgotten.
  public void skipForgotten() {
    long oldest = spool.first();
    if (sequence < oldest) {
      sequence = oldest;
      page = null;
    }
  }

  /// Waits until [#next] would not; false when `limit` is over before.
  public boolean await(Duration limit) throws InterruptedException {
    return spool.await(sequence, limit);
  }

  /// Whether [#next] would not wait.
  public boolean ready() {
    return spool.has(sequence);
  }

  /// Waits for the next record; empty when the spool has ended and there is none.
  ///
  /// @throws husk.model.Problem when it is no longer kept
  public Optional<byte[]> next() throws InterruptedException {
    return nextView()
        .map(
            view -> {
              var copy = new byte[view.remaining()];
              view.get(copy);
              return copy;
            });
  }

  /// The same as a read-only view, which for a large record is no copy in memory.
  public Optional<ByteBuffer> nextView() throws InterruptedException {
    while (!spool.await(sequence, LONG)) {
      // for as long as it takes
    }
    try {
      if (!spool.visit(sequence, this)) {
        return Optional.empty();
      }
    } catch (NoSuchFileException e) {
      throw Spool.forgotten(sequence, spool.first());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sequence++;
    return Optional.of(record);
  }

  @SuppressWarnings("ReferenceEquality") // that very page
  void look(Page visited) throws IOException {
    boolean another = visited != page;
    if (another || !complete) {
      // While it is in memory it grows, and it may outgrow its array.
      loaded = visited.load();
      complete = !visited.inMemory();
    }
    if (another) {
      page = visited;
      at = visited.offset(loaded, sequence);
    }
    int length = loaded.getInt(at);
    record = loaded.slice(at + Page.LENGTH, length).asReadOnlyBuffer();
    at += Page.LENGTH + length;
  }
}
