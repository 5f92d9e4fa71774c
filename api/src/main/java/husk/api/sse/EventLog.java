package husk.api.sse;

import husk.api.spool.Spool;
import husk.api.spool.SpoolLimits;
import husk.api.spool.SpoolReader;
import husk.model.ExecutionEvent;
import husk.model.Problem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The events of one execution, kept so that whoever lost the connection can go on where it was.
///
/// A reader that is slower than the code holds nothing back until the log is full; then the code
/// waits for it. With no reader at all the code goes on, and the log says that events are missing.
final class EventLog implements ExecutionEvent.Listener {
  private static final SpoolLimits LIMITS = new SpoolLimits(256 << 10, 512 << 10, 512L << 20);
  private static final long LOOK_MILLIS = 50;

  final String executionId;
  private final Spool spool;
  private final Map<Object, SpoolReader> readers = new HashMap<>();
  private long missing;
  private volatile @Nullable Problem problem;
  private volatile long endedNanos;

  EventLog(String executionId, Path directory) {
    this.executionId = executionId;
    this.spool = new Spool(directory, LIMITS);
  }

  @Override
  public void on(ExecutionEvent event) {
    EventText.of(event).forEach(this::add);
  }

  /// Ends the log, with the reason if there is one.
  void end(@Nullable Problem refused) {
    if (refused != null) {
      problem = refused;
      add(EventText.problem(refused));
    }
    if (missing > 0) {
      gap(missing + " events found no room");
    }
    endedNanos = System.nanoTime();
    spool.end();
  }

  void gap(String why) {
    add(EventText.gap(why));
  }

  /// Why nothing at all came of it; empty while that is not known.
  Optional<Problem> refusal() {
    return Optional.ofNullable(problem).filter(_ -> spool.next() <= 2);
  }

  boolean ended() {
    return endedNanos != 0;
  }

  long endedNanos() {
    return endedNanos;
  }

  private void add(String event) {
    var bytes = event.getBytes(StandardCharsets.UTF_8);
    while (true) {
      try {
        spool.append(bytes);
        return;
      } catch (Problem full) {
        if (!makeRoom()) {
          missing++;
          return;
        }
      }
    }
  }

  /// Forgets what every reader has, and waits a moment for them; false if there is none.
  private boolean makeRoom() {
    synchronized (readers) {
      if (readers.isEmpty()) {
        return false;
      }
      long read = readers.values().stream().mapToLong(SpoolReader::sequence).min().orElse(1);
      spool.forgetUpTo(read - 1);
    }
    try {
      Thread.sleep(LOOK_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  SpoolReader read(Object reader, long after) {
    synchronized (readers) {
      var place = spool.reader(Math.max(after + 1, spool.first()));
      readers.put(reader, place);
      return place;
    }
  }

  /// Takes leave of a reader.
  ///
  /// @return whether nobody else reads
  boolean leave(Object reader) {
    synchronized (readers) {
      readers.remove(reader);
      return readers.isEmpty();
    }
  }

  void close() {
    spool.close();
  }
}
