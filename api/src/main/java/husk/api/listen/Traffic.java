package husk.api.listen;

import husk.model.Problem;
import java.time.Duration;

/// How many requests a listener works on. Beyond its limit, and once it closes, callers are told to
/// come back later.
final class Traffic {
  private final int limit;
  private int working;
  private boolean closing;

  Traffic(int limit) {
    this.limit = limit;
  }

  /// Lets a request in that will [#leave].
  synchronized void enter() {
    if (closing) {
      throw new Problem(
          Problem.Code.OVERLOADED, "the server is shutting down", "ask the next one in a moment");
    }
    if (working >= limit) {
      throw new Problem(
          Problem.Code.OVERLOADED,
          "the server works on " + limit + " requests already",
          "try again in a moment, or raise `max-requests`");
    }
    working++;
  }

  synchronized void leave() {
    working--;
    notifyAll();
  }

  synchronized int working() {
    return working;
  }

  /// Lets nobody else in and waits for those who are.
  ///
  /// @return whether all left in time
  synchronized boolean drain(Duration limit) {
    closing = true;
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (working > 0) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return working == 0;
  }
}
