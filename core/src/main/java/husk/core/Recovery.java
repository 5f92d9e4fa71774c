package husk.core;

import husk.kernels.Cell;
import husk.kernels.Journal;
import husk.kernels.KernelClient;
import husk.kernels.OutputLimits;
import husk.kernels.ProcFs;
import husk.kernels.Threads;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.store.ExecutionRow;
import husk.store.Registry;
import husk.wire.Json;
import husk.wire.Message;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Picks up what a process that was killed left behind: kernels are found again, and executions
/// that were under way are seen through, or their loss is reported.
final class Recovery {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final Registry registry;
  private final Kernels kernels;
  private final Executor executor;
  private final Aftermath aftermath;

  Recovery(Registry registry, Kernels kernels, Executor executor, Aftermath aftermath) {
    this.registry = registry;
    this.kernels = kernels;
    this.executor = executor;
    this.aftermath = aftermath;
  }

  /// Returns when every orphaned execution has somebody who looks after it.
  void run() {
    for (var record : registry.list()) {
      Steps.take("find a kernel again", () -> find(record));
    }
  }

  private void find(KernelRecord record) {
    var now = kernels.refreshed(record);
    var orphans = registry.running(record.kernelId()).stream().filter(Recovery::orphaned).toList();
    if (now.status().alive()) {
      orphans.forEach(row -> adopt(now, row));
      if (orphans.isEmpty()) {
        Threads.start("husk-reattach", () -> reattach(now));
      }
    } else {
      orphans.forEach(row -> Steps.take("report the end of a cell", () -> reportDeath(now, row)));
    }
  }

  private static boolean orphaned(ExecutionRow row) {
    return !ProcFs.alive(inFlight(row).owner());
  }

  private static InFlight inFlight(ExecutionRow row) {
    try {
      return Json.read(row.requestJson(), InFlight.class);
    } catch (RuntimeException senseless) {
      return InFlight.UNKNOWN;
    }
  }

  /// Connects, so that the kernel's doings and its end are noticed.
  private void reattach(KernelRecord record) {
    try {
      kernels.client(record);
    } catch (RuntimeException unreachable) {
      // the next call to it says why
    }
  }

  private void adopt(KernelRecord record, ExecutionRow row) {
    var started = new CountDownLatch(1);
    Threads.start(
        "husk-recover",
        () -> {
          var running = new Running(row.executionId(), record.kernelId(), Thread.currentThread());
          var turn = kernels.live(record.kernelId()).turn;
          turn.lock();
          try {
            executor.adopt(running);
            started.countDown();
            var result = ended(record, row, followOrReportLoss(running, record, row));
            if (!kernels.closing()) {
              registry.finish(row.executionId(), Json.text(result), Instant.now());
            }
            running.result.complete(result);
          } finally {
            turn.unlock();
            executor.release(running);
          }
        });
    awaitStart(started);
  }

  private ExecutionResult ended(KernelRecord record, ExecutionRow row, ExecutionResult result) {
    return kernels.closing() ? result : aftermath.of(record, inFlight(row), result);
  }

  private ExecutionResult followOrReportLoss(
      Running running, KernelRecord record, ExecutionRow row) {
    try {
      return follow(running, record, row);
    } catch (RuntimeException e) {
      return lost(row, "its end was not seen: " + e.getMessage());
    }
  }

  private static void awaitStart(CountDownLatch started) {
    try {
      started.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ExecutionResult follow(Running running, KernelRecord record, ExecutionRow row) {
    var client = kernels.client(record);
    if (!kernels.launch(record.kernelId()).own()) {
      return lost(row, "the daemon was restarted while it ran; this kernel keeps no journal");
    }
    var ending = new Ending();
    client.overhear(row.messageId(), ending);
    try {
      var journal = Journal.ask(client, row.messageId());
      return switch (journal.state()) {
        case "finished" -> replay(row, journal);
        case "running", "queued" ->
            seeThrough(running, record, row, client, ending, remaining(row, journal));
        default -> {
          if (!inFlight(row).sentTo().equals(record.process())) {
            yield lost(row, "the kernel is not the one that was to run it; look before you repeat");
          }
          sendAgain(client, row, ending);
          var limit = inFlight(row).timeout();
          yield seeThrough(running, record, row, client, ending, limit.isZero() ? FOR_EVER : limit);
        }
      };
    } catch (Problem gone) {
      return deathOf(record, row);
    } finally {
      client.forget(row.messageId());
    }
  }

  /// The kernel has not heard of it yet. Whether it is on its way nobody can tell; should it come
  /// twice, it is run once.
  private static void sendAgain(KernelClient client, ExecutionRow row, Ending ending) {
    try {
      var message = CellMessage.remembered(client, row.messageId(), inFlight(row).told());
      client.converse(message, ending);
    } catch (IOException gone) {
      ending.gone();
    }
  }

  private ExecutionResult seeThrough(
      Running running,
      KernelRecord record,
      ExecutionRow row,
      KernelClient client,
      Ending ending,
      Duration limit) {
    boolean late = !ending.await(limit);
    if (late || running.cancelled()) {
      executor.interrupt(record);
      if (!ending.await(executor.defaults().interruptGrace())) {
        executor.kill(record);
      }
    }
    if (ending.gone) {
      return deathOf(record, row);
    }
    var whole = Journal.ask(client, row.messageId());
    var cell = cell(row);
    whole.replay(cell);
    var results = new Results(row.executionId(), false);
    return late && !running.cancelled()
        ? results.timedOut(cell, inFlight(row).timeout())
        : results.finished(cell, running.cancelled());
  }

  private static Duration remaining(ExecutionRow row, Journal journal) {
    var timeout = inFlight(row).timeout();
    if (timeout.isZero()) {
      return FOR_EVER;
    }
    var started = journal.started().orElse(row.startedAt());
    var left = Duration.between(Instant.now(), started.plus(timeout));
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Cell cell(ExecutionRow row) {
    return new Cell(
        row.executionId(),
        OutputLimits.of(inFlight(row).outputLimit()),
        ExecutionEvent.Listener.NONE);
  }

  private static ExecutionResult replay(ExecutionRow row, Journal journal) {
    var cell = cell(row);
    journal.replay(cell);
    return new Results(row.executionId(), false).finished(cell, false);
  }

  private static ExecutionResult lost(ExecutionRow row, String why) {
    return new Results(row.executionId(), false).interrupted(cell(row), why);
  }

  private void reportDeath(KernelRecord record, ExecutionRow row) {
    registry.finish(row.executionId(), Json.text(deathOf(record, row)), Instant.now());
  }

  private ExecutionResult deathOf(KernelRecord record, ExecutionRow row) {
    var dead = kernels.markDead(registry.find(record.kernelId()).orElse(record));
    if (dead.status().alive()) {
      return lost(row, "the kernel lives, but does not answer");
    }
    var cause = dead.death().orElse(husk.model.Death.unknown("the kernel's process is gone"));
    var cell = cell(row);
    kernels.replayLastWords(row, cell);
    return new Results(row.executionId(), false)
        .died(cell, cause, Results.lastWords(kernels, record.kernelId()));
  }

  /// Waits for the end of a cell whose outputs the kernel's journal holds.
  private static final class Ending implements KernelClient.Conversation {
    private final CountDownLatch over = new CountDownLatch(1);
    volatile boolean gone;

    @Override
    public void broadcast(Message message) {
      if (message.type().equals("status")
          && message.content().path("execution_state").asString("").equals("idle")) {
        over.countDown();
      }
    }

    @Override
    public void reply(Message message) {}

    @Override
    public void gone() {
      gone = true;
      over.countDown();
    }

    boolean await(Duration limit) {
      try {
        return over.await(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        // cancelled: the caller interrupts the kernel
        return false;
      }
    }
  }
}
