package husk.core;

import husk.kernels.ProcFs;
import husk.model.KernelProcess;
import java.util.concurrent.atomic.AtomicLong;

/// Notices when the system kills for want of memory. It says only that it did, not whom; a kernel
/// that got a KILL that Husk did not send, since the count last stood still, was it.
final class OutOfMemory {
  private static final AtomicLong SEEN = new AtomicLong(ProcFs.outOfMemoryKills());

  private OutOfMemory() {}

  static boolean struckSince(KernelProcess process) {
    long now = ProcFs.outOfMemoryKills();
    return process.pid() > 0 && SEEN.getAndSet(now) < now;
  }
}
