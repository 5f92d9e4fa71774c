package husk.api.rest;

import husk.model.ExecutionResult;
import husk.model.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/// Executes on a thread of its own. A server that closes interrupts those who wait for answers; the
/// code is to run on, and its result can be fetched.
final class Unhurried {
  private Unhurried() {}

  static CompletableFuture<ExecutionResult> begin(Supplier<ExecutionResult> execution) {
    var result = new CompletableFuture<ExecutionResult>();
    Thread.ofVirtual()
        .name("husk-execution")
        .start(
            () -> {
              try {
                result.complete(execution.get());
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  static ExecutionResult run(Supplier<ExecutionResult> execution) {
    try {
      return begin(execution).get();
    } catch (ExecutionException e) {
      throw problem(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(
          Problem.Code.DAEMON_UNAVAILABLE,
          "the server is shutting down; the code runs on",
          "its result can be fetched by its execution id");
    }
  }

  static Problem problem(ExecutionException e) {
    return e.getCause() instanceof Problem problem
        ? problem
        : new Problem(Problem.Code.INTERNAL, "unexpected failure: " + e.getCause()).causedBy(e);
  }
}
