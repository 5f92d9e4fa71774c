package husk;

import husk.model.ExecutionResult;
import husk.model.Problem;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The executions under way here, each on a virtual thread of its own: so a caller's thread can be
/// interrupted without harm to a connection, and a future can be given up at any time.
final class Executions {
  private static final long PAUSE_MILLIS = 20;

  private final Consumer<String> cancel;
  private final Set<Begun> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /// @param cancel asks for the end of the execution with this id
  Executions(Consumer<String> cancel) {
    this.cancel = cancel;
  }

  Begun begin(String executionId, Supplier<ExecutionResult> work) {
    var begun = new Begun(executionId);
    underWay.add(begun);
    if (closed) {
      underWay.remove(begun);
      throw closedProblem();
    }
    Thread.ofVirtual().name("husk-execution").start(() -> begun.run(work));
    return begun;
  }

  static Problem closedProblem() {
    return new Problem(
        Problem.Code.USAGE, "this Husk was closed", "open another one; kernels are still there");
  }

  /// Lets nothing begin any more, and waits for what is under way.
  void close() {
    closed = true;
    boolean interrupted = false;
    for (var begun : underWay) {
      interrupted |= begun.awaitEnd();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// One execution under way.
  final class Begun {
    private final String executionId;
    private final CompletableFuture<ExecutionResult> outcome = new CompletableFuture<>();

    private Begun(String executionId) {
      this.executionId = executionId;
    }

    private void run(Supplier<ExecutionResult> work) {
      try {
        outcome.complete(work.get());
      } catch (Throwable e) {
        outcome.completeExceptionally(e);
      } finally {
        underWay.remove(this);
      }
    }

    /// Its future, for a caller who may end it before its time.
    CompletableFuture<ExecutionResult> offered() {
      var offered = outcome.copy();
      var _ =
          offered.whenComplete(
              (_, _) -> {
                if (!outcome.isDone()) {
                  cancelSoon();
                }
              });
      return offered;
    }

    /// Waits for its result; an interrupt cancels it.
    ExecutionResult await() {
      boolean interrupted = awaitEnd();
      try {
        return outcome.resultNow();
      } catch (IllegalStateException _) {
        switch (outcome.exceptionNow()) {
          case RuntimeException e -> throw e;
          case Error e -> throw e;
          case Throwable e -> throw new IllegalStateException(e);
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /// Gives back whether the thread was interrupted meanwhile.
    private boolean awaitEnd() {
      boolean interrupted = false;
      while (true) {
        try {
          outcome.get();
          return interrupted;
        } catch (ExecutionException _) {
          return interrupted;
        } catch (InterruptedException _) {
          if (!interrupted) {
            cancelSoon();
          }
          interrupted = true;
        }
      }
    }

    private void cancelSoon() {
      Thread.ofVirtual().name("husk-cancellation").start(this::cancelUntilHeeded);
    }

    /// Nobody knows the execution before its kernel is there; until then it is asked again.
    private void cancelUntilHeeded() {
      while (!outcome.isDone()) {
        try {
          cancel.accept(executionId);
          return;
        } catch (Problem problem) {
          if (problem.code() != Problem.Code.EXECUTION_NOT_FOUND) {
            return;
          }
        }
        Pauses.pause(PAUSE_MILLIS);
      }
    }
  }
}
