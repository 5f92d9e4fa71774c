package husk.core;

import husk.kernels.Threads;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.store.Registry;
import java.time.Duration;
import java.time.Instant;

/// Ends kernels that nobody has used for longer than they may idle. A busy kernel is never idle,
/// whoever keeps it busy.
final class Reaper {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);

  private final Registry registry;
  private final Kernels kernels;
  private final Lifecycle lifecycle;
  private volatile boolean open = true;

  Reaper(Registry registry, Kernels kernels, Lifecycle lifecycle) {
    this.registry = registry;
    this.kernels = kernels;
    this.lifecycle = lifecycle;
    Threads.start("husk-reaper", this::loop);
  }

  private void loop() {
    while (open) {
      var pause = LONGEST_PAUSE;
      try {
        for (var record : registry.list()) {
          var left = timeLeft(record);
          if (left.isNegative() || left.isZero()) {
            Steps.take("end an idle kernel", () -> lifecycle.destroy(record));
          } else if (left.compareTo(pause) < 0) {
            pause = left;
          }
        }
        registry.cleanseWhenQuiet();
      } catch (RuntimeException e) {
        // the registry may be busy or closing; the next round tries again
      }
      Threads.sleep(Math.max(SHORTEST_PAUSE.toMillis(), Math.min(pause.toMillis(), 1000)));
    }
  }

  private Duration timeLeft(KernelRecord record) {
    var kernel = kernels.live(record.kernelId());
    if (record.idleTimeout().isZero()
        || record.status() == KernelStatus.STARTING
        || kernel.turn.isLocked()
        || kernel.held()
        || kernel.busy) {
      return LONGEST_PAUSE;
    }
    var sinceUse = Duration.between(record.lastUsedAt(), Instant.now());
    var sinceActivity = Duration.ofNanos(System.nanoTime() - kernel.lastActiveNanos);
    var idle = sinceUse.compareTo(sinceActivity) < 0 ? sinceUse : sinceActivity;
    return record.idleTimeout().minus(idle);
  }

  void close() {
    open = false;
  }
}
