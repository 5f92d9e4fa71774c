package husk.core;

import husk.kernels.ProcFs;
import java.util.concurrent.atomic.AtomicLong;

/// How often the system has killed for want of memory, looked up at most a few times a second:
/// every execution asks, and the system takes its time to answer.
final class MemoryKills {
  private static final long FRESH_NANOS = 300_000_000;

  private static final AtomicLong LOOKED_AT = new AtomicLong(System.nanoTime() - FRESH_NANOS);
  private static volatile long count;

  private MemoryKills() {}

  /// The count as it was, at most a moment ago.
  static long lately() {
    long now = System.nanoTime();
    long before = LOOKED_AT.get();
    if (now - before >= FRESH_NANOS && LOOKED_AT.compareAndSet(before, now)) {
      count = ProcFs.outOfMemoryKills();
    }
    return count;
  }
}
