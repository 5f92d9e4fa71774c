package husk.sandboxes;

import husk.spi.SandboxEvent;
import husk.wire.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/// What happened to one sandbox: one JSON object per line in a file, the newest 10,000 at least and
/// twice as many at most.
final class EventLog {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");
  private static final int KEPT = 10_000;

  private final Path file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();
  // The rest is guarded by the lock.
  private final List<String> lines = new ArrayList<>();
  private long dropped;

  EventLog(Path file) {
    this.file = file;
    if (Files.isRegularFile(file)) {
      try {
        lines.addAll(Files.readAllLines(file));
      } catch (IOException e) {
        LOG.log(Level.WARNING, "cannot read the events in " + file, e);
      }
    }
  }

  void add(SandboxEvent event) {
    lock.lock();
    try {
      var line = Json.text(event);
      lines.add(line);
      if (lines.size() > 2 * KEPT) {
        lines.subList(0, KEPT).clear();
        dropped += KEPT;
        Files.write(file, lines);
      } else {
        Files.write(
            file,
            (line + "\n").getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    } catch (NoSuchFileException gone) {
      // with its sandbox
    } catch (IOException e) {
      // A full disk must not stop what the event tells of.
      LOG.log(Level.WARNING, "cannot write an event to " + file, e);
    } finally {
      added.signalAll();
      lock.unlock();
    }
  }

  /// Some lines, and the number to ask on from.
  record Page(List<String> lines, long next) {}

  /// What came after the first `after` events; waits for some if there are none.
  Page after(long after, Duration wait) {
    lock.lock();
    try {
      long left = wait.toNanos();
      while (dropped + lines.size() <= after && left > 0) {
        left = added.awaitNanos(left);
      }
      int from = Math.clamp(after - dropped, 0, lines.size());
      return new Page(List.copyOf(lines.subList(from, lines.size())), dropped + lines.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Page(List.of(), after);
    } finally {
      lock.unlock();
    }
  }
}
