package husk.api.listen;

import husk.api.accept.Place;
import husk.model.Problem;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// How many requests a listener works on. Beyond its limit, and once it closes, callers are told to
/// come back later. Those whose caller is being waited for are not counted.
final class Traffic {
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final int limit;
  private int inside;
  private int working;
  private boolean closing;

  Traffic(int limit) {
    this.limit = limit;
  }

  /// Why a request was not let in.
  static final class Full extends Exception {
    private static final long serialVersionUID = 1;

    private final Problem problem;

    Full(Problem problem) {
      super(problem);
      this.problem = problem;
    }

    Problem problem() {
      return problem;
    }
  }

  /// Lets a request in until it is closed.
  synchronized Stay enter() throws Full {
    if (closing) {
      throw new Full(
          new Problem(
              Problem.Code.OVERLOADED,
              "the server is shutting down",
              "ask the next one in a moment"));
    }
    if (working >= limit) {
      throw new Full(overloaded());
    }
    working++;
    inside++;
    return new Stay();
  }

  private Problem overloaded() {
    return new Problem(
        Problem.Code.OVERLOADED,
        "the server works on " + limit + " requests already",
        "try again in a moment, or raise `max-requests`");
  }

  /// How many requests there are, those that wait for their callers included.
  synchronized int inside() {
    return inside;
  }

  /// Lets nobody else in and waits for those who are.
  ///
  /// @return whether all left in time
  synchronized boolean drain(Duration limit) {
    closing = true;
    awaitUntil(limit, () -> inside == 0);
    return inside == 0;
  }

  private void awaitUntil(Duration limit, BooleanSupplier reached) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!reached.getAsBoolean()) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The place of one request. Its body may be waited for while something is written to it.
  final class Stay implements Place, AutoCloseable {
    private int pauses;
    private boolean left;

    @Override
    public void pause() {
      synchronized (Traffic.this) {
        if (pauses++ == 0 && !left) {
          working--;
          Traffic.this.notifyAll();
        }
      }
    }

    @Override
    public void resume() {
      synchronized (Traffic.this) {
        boolean last = pauses == 1 && !left;
        if (last) {
          awaitUntil(WAIT, () -> working < limit);
        }
        boolean full = last && working >= limit;
        resumeAnyway();
        if (full) {
          throw overloaded();
        }
      }
    }

    @Override
    public void resumeAnyway() {
      synchronized (Traffic.this) {
        if (--pauses == 0 && !left) {
          working++;
        }
      }
    }

    @Override
    public void close() {
      synchronized (Traffic.this) {
        if (!left) {
          left = true;
          inside--;
          if (pauses == 0) {
            working--;
          }
          Traffic.this.notifyAll();
        }
      }
    }
  }
}
