package husk.api.accept;

import java.time.Duration;

/// How many bytes of callers' bodies and messages this process holds, all callers together: a part
/// of its memory that many large ones at once cannot exceed.
public final class InboundBudget {
  /// What may be taken by those that have little, even if those that have much want it.
  private static final int KEPT_FOR_SMALL = 4;

  private static final long LARGE = 4 << 20;
  private static final InboundBudget PROCESS = ofMemory(64 << 20);

  private final long limit;
  private long taken;

  public InboundBudget(long limit) {
    this.limit = limit;
  }

  /// That of this process.
  public static InboundBudget ofProcess() {
    return PROCESS;
  }

  /// A part of the memory there is: each byte is held about twice on its way.
  ///
  /// @param least what must fit in any case
  private static InboundBudget ofMemory(long least) {
    return new InboundBudget(Math.max(least, Runtime.getRuntime().maxMemory() / 5));
  }

  public synchronized boolean take(long bytes) {
    return take(bytes, limit);
  }

  private boolean take(long bytes, long most) {
    if (taken + bytes > most) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /// Waits until others have given enough back.
  ///
  /// @param already what whoever asks has taken before
  /// @return whether they have, in time
  public synchronized boolean take(long bytes, long already, Duration patience) {
    long most = already + bytes > LARGE ? limit - limit / KEPT_FOR_SMALL : limit;
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (!take(bytes, most)) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public synchronized void give(long bytes) {
    taken -= bytes;
    notifyAll();
  }

  public synchronized long taken() {
    return taken;
  }
}
