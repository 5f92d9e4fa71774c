package husk.core;

import husk.model.AttemptSnapshot;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Runs code until it succeeds, asking after each failure what to run next.
public final class Retry {
  private Retry() {}

  /// Runs `request` at most `maxAttempts` times.
  ///
  /// @param run runs one attempt
  /// @param onError given the failed result and the attempt's number, counted from 1, says what to
  ///   run next; empty to run the same again
  public static ExecutionResult run(
      ExecuteRequest request,
      int maxAttempts,
      Function<ExecuteRequest, ExecutionResult> run,
      BiFunction<ExecutionResult, Integer, Optional<String>> onError) {
    if (maxAttempts < 1) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "max attempts is " + maxAttempts + ", but must be at least 1",
          "leave it out for the configured number");
    }
    var attempts = new ArrayList<AttemptSnapshot>();
    var code = request.code();
    for (int attempt = 1; ; attempt++) {
      var result = run.apply(request.attempting(code));
      attempts.add(result.asAttempt(attempt, code));
      if (result.ok() || result.status() == ResultStatus.CANCELLED) {
        return result.withAttempts(result.status(), attempts);
      }
      if (attempt == maxAttempts) {
        return result.withAttempts(ResultStatus.MAX_ATTEMPTS_EXCEEDED, attempts);
      }
      code = onError.apply(result, attempt).orElse(code);
    }
  }
}
