package husk.testkit;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for what happens soon, instead of sleeping for as long as it might take.
public final class Eventually {
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Eventually() {}

  /// Gives up with an [AssertionError] that says `whatFailed`, asked for only then.
  public static void until(
      Duration patience, BooleanSupplier condition, Supplier<String> whatFailed) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(
            whatFailed.get() + "\n(waited for " + patience.toMillis() + " ms)");
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }
}
