package husk.backends.agents;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Waits for what only looking can tell.
public final class Waiting {
  private static final Duration SHORT = Duration.ofNanos(250_000);
  private static final Duration LONG = Duration.ofMillis(1);

  /// What is waited for takes no longer, mostly.
  private static final Duration USUAL = Duration.ofMillis(40);

  private Waiting() {}

  static void briefly() {
    sleep(SHORT);
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// False when it did not become true in time, or the thread was interrupted.
  public static boolean until(Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    long patient = System.nanoTime() + USUAL.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        return false;
      }
      sleep(System.nanoTime() < patient ? SHORT : LONG);
    }
    return true;
  }
}
