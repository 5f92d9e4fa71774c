package husk.backends.agents;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for what only looking can tell.
public final class Waiting {
  private Waiting() {}

  static void briefly() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// False when it did not become true in time, or the thread was interrupted.
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        return false;
      }
      briefly();
    }
    return true;
  }
}
