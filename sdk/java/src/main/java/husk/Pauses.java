package husk;

import husk.model.Problem;

/// Short waits between two questions.
final class Pauses {
  private Pauses() {}

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(
              Problem.Code.DAEMON_UNAVAILABLE,
              "the thread was interrupted while it waited",
              "what it waited for goes on")
          .causedBy(e);
    }
  }
}
