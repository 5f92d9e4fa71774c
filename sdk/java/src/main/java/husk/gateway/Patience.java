package husk.gateway;

import husk.model.Problem;
import java.io.IOException;
import java.time.Duration;

/// Asks a gateway that may still be starting, until it answers or the time is up.
record Patience(Address address, int retries, Duration interval) {
  private static final long FIRST_PAUSE_MILLIS = 20;

  /// A question that may be asked again if it fails.
  interface Question<T> {
    T ask() throws IOException;
  }

  <T> T until(Question<T> question) {
    long deadline = System.nanoTime() + interval.multipliedBy(retries).toNanos();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return question.ask();
      } catch (IOException e) {
        if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
          throw unreachable(address, e);
        }
      }
      pause(Math.min(pause, interval.toMillis()));
      pause *= 2;
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Problem unreachable(Address address, IOException e) {
    return new Problem(
            Problem.Code.DAEMON_UNAVAILABLE,
            "the gateway at " + address + " does not serve: " + e,
            "is it running there, and on this port?")
        .causedBy(e);
  }
}
