package husk.core;

import husk.kernels.Threads;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// The retrying executions under way. Each has an id of its own beside those of its attempts, and
/// is cancelled as a whole: whichever attempt runs is ended, and no other follows.
final class Retries {
  private final Map<String, Retrying> underWay = new ConcurrentHashMap<>();

  private static final class Retrying {
    final CompletableFuture<ExecutionResult> result = new CompletableFuture<>();
    volatile String attempt = "";
    volatile boolean cancelled;
  }

  /// @param run runs one attempt
  /// @param onError says what to run next, as in [Retry]
  /// @param keep keeps the result of the whole, before anybody hears of it
  ExecutionResult run(
      ExecuteRequest request,
      int maxAttempts,
      Function<ExecuteRequest, ExecutionResult> run,
      BiFunction<ExecutionResult, Integer, Optional<String>> onError,
      Consumer<ExecutionResult> keep) {
    var present = new Retrying();
    if (underWay.putIfAbsent(request.executionId(), present) != null) {
      throw taken(request.executionId());
    }
    try {
      var result =
          Retry.run(request, maxAttempts, attempt -> attempt(present, attempt, run), onError)
              .named(request.executionId());
      keep.accept(result);
      present.result.complete(result);
      return result;
    } catch (RuntimeException e) {
      present.result.completeExceptionally(e);
      throw e;
    } finally {
      underWay.remove(request.executionId());
    }
  }

  static Problem taken(String executionId) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "there is already an execution `" + executionId + "`",
        "choose a new id, or leave it out");
  }

  /// A failure of one that was cancelled meanwhile is no reason to try again.
  private static ExecutionResult attempt(
      Retrying present, ExecuteRequest request, Function<ExecuteRequest, ExecutionResult> run) {
    present.attempt = request.executionId();
    var result = run.apply(request);
    return present.cancelled && !result.ok()
        ? result.withAttempts(ResultStatus.CANCELLED, result.attempts())
        : result;
  }

  /// Asks for the end of one; false when there is none of this id.
  ///
  /// @param cancelAttempt asks for the end of an attempt; false when it is yet to begin
  boolean cancel(String executionId, Predicate<String> cancelAttempt) {
    var present = underWay.get(executionId);
    if (present == null) {
      return false;
    }
    present.cancelled = true;
    while (!present.result.isDone() && !cancelAttempt.test(present.attempt)) {
      Threads.sleep(2);
    }
    return true;
  }

  /// The result to come of one that is under way.
  Optional<CompletableFuture<ExecutionResult>> find(String executionId) {
    return Optional.ofNullable(underWay.get(executionId)).map(present -> present.result);
  }

  /// To a listener only the last attempt's end is the end.
  static ExecutionEvent.Listener withoutEnds(ExecutionEvent.Listener listener) {
    return event -> {
      if (!(event instanceof ExecutionEvent.Ended)) {
        listener.on(event);
      }
    };
  }
}
