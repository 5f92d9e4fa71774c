package husk.gateway;

import husk.kernels.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The cells that a kernel has been sent and has not ended, in the order they were sent.
///
/// A kernel runs them one after the other, so the clock of each starts when it is the first, or
/// when it is known to run.
final class Cells {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Runnable interrupt;

  /// Guarded by itself.
  private final Map<String, Cell> waiting = new LinkedHashMap<>();

  Cells(Runnable interrupt) {
    this.interrupt = interrupt;
  }

  void add(Cell cell) {
    synchronized (waiting) {
      waiting.put(cell.id, cell);
      if (waiting.size() == 1) {
        startClock(cell);
      }
    }
  }

  List<Cell> all() {
    synchronized (waiting) {
      return new ArrayList<>(waiting.values());
    }
  }

  /// Takes a message to the cell it is about, if it is about one.
  void hear(String id, String type, JsonNode content) {
    var cell = find(id);
    if (cell == null) {
      return;
    }
    if (cell.accept(type, content)) {
      forget(cell);
      return;
    }
    if (began(type, content)) {
      passOver(cell);
      if (cell.unwanted()) {
        Threads.start("husk-gateway-interrupt", interrupt);
      }
    }
  }

  private static boolean began(String type, JsonNode content) {
    return type.equals("status") && content.path("execution_state").asString("").equals("busy");
  }

  /// A kernel that runs this one is done with those before it. An interrupt just as code begins has
  /// some kernels never reply to it: nothing waits for that.
  private void passOver(Cell running) {
    synchronized (waiting) {
      var before =
          waiting.values().stream().takeWhile(cell -> !cell.id.equals(running.id)).toList();
      before.stream().filter(Cell::isOver).forEach(cell -> waiting.remove(cell.id));
      startClock(running);
    }
  }

  private @Nullable Cell find(String id) {
    synchronized (waiting) {
      return waiting.get(id);
    }
  }

  void end(Cell cell, Outcome how) {
    cell.end(Optional.of(how));
    forget(cell);
  }

  void endAll(Outcome how) {
    all().forEach(cell -> end(cell, how));
  }

  /// For those whose remaining messages will never come.
  void settle(List<Cell> cells) {
    for (var cell : cells) {
      cell.end(
          cell.replied()
              ? Optional.empty()
              : Optional.of(
                  Outcome.raised(ExecutionError.CONNECTION_LOST, "how it ended was missed")));
      forget(cell);
    }
  }

  private void forget(Cell cell) {
    synchronized (waiting) {
      if (waiting.remove(cell.id) != null) {
        waiting.values().stream().findFirst().ifPresent(this::startClock);
      }
    }
  }

  private void startClock(Cell cell) {
    cell.takeLimit()
        .ifPresent(limit -> Threads.start("husk-gateway-limit", () -> watch(cell, limit)));
  }

  private void watch(Cell cell, Duration limit) {
    try {
      if (!cell.endsWithin(limit)) {
        stop(cell, cell.expire());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Interrupts a cell that nobody wants any more, and waits for its end.
  void cancel(Cell cell) throws InterruptedException {
    stop(cell, cell.abandon());
  }

  /// One that does not stop keeps its place: the cells behind it cannot run before it has ended.
  private void stop(Cell cell, boolean begun) throws InterruptedException {
    if (begun) {
      interrupt.run();
    }
    if (!begun || !cell.endsWithin(GRACE)) {
      var why = begun ? "it did not heed the interrupt" : "the kernel had not begun it";
      cell.end(Optional.of(Outcome.raised(ExecutionError.CANCELLED, why)));
    }
  }
}
