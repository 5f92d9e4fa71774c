package husk.kernels;

import java.time.Duration;

/// The one place where threads are made: virtual, and named after what they serve.
public final class Threads {
  private Threads() {}

  public static Thread start(String name, Runnable work) {
    return Thread.ofVirtual().name(name).start(work);
  }

  /// Sleeps; an interrupt ends it early and stays set.
  public static void sleep(long millis) {
    sleep(Duration.ofMillis(millis));
  }

  /// The same for other times.
  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
