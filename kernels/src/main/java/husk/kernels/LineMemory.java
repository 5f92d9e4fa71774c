package husk.kernels;

import husk.wire.zmtp.FrameGate;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Keeps the messages that are passed on, of all lines together, within a part of this process's
/// memory: a large one waits until others have been passed on, and what is too large for all of it
/// is left out.
///
/// One for each socket, used by the one thread that reads it.
final class LineMemory implements FrameGate {
  /// A frame's memory grows by doubling, so that it takes up to twice its size for a moment.
  private static final int COPIES = 2;

  private static final int UNIT = 64 * 1024;
  private static final int UNITS = units(Runtime.getRuntime().maxMemory() / 5 * 2);
  private static final Semaphore SHARED = new Semaphore(UNITS, true);

  /// Small messages are not worth counting.
  private static final long FREE = 1 << 20;

  private static final long PATIENCE_SECONDS = 20;

  private final long largest;
  private long arrived;
  private int held;

  LineMemory() {
    this(Long.MAX_VALUE);
  }

  /// @param largest bytes of a message; its frames beyond that are left out
  LineMemory(long largest) {
    this.largest = largest;
  }

  private static int units(long bytes) {
    return (int) Math.min(bytes / UNIT + 1, Integer.MAX_VALUE);
  }

  @Override
  public boolean admit(int size) {
    arrived += size;
    if (arrived <= FREE) {
      return true;
    }
    if (arrived > largest) {
      return false;
    }
    int wanted = units((long) COPIES * size);
    if (held + wanted > UNITS) {
      return false;
    }
    try {
      if (!SHARED.tryAcquire(wanted, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    held += wanted;
    return true;
  }

  /// The message has been passed on, or never will be.
  void release() {
    SHARED.release(held);
    held = 0;
    arrived = 0;
  }
}
