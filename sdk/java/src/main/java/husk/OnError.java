package husk;

import husk.model.ExecutionResult;
import java.util.Optional;

/// Decides what a retrying execution runs after an attempt has failed.
@FunctionalInterface
public interface OnError {
  /// Runs the same code again.
  OnError SAME_AGAIN = (_, _) -> Optional.empty();

  /// Says what to run next.
  ///
  /// @param result how the attempt failed: [ExecutionResult#error] says why, also for a timeout
  /// @param attempt its number, counted from 1
  /// @return the code to run next; empty for the same again
  Optional<String> next(ExecutionResult result, int attempt);
}
