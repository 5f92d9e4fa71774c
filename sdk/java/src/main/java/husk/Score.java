package husk;

import husk.model.ExecutionResult;
import husk.model.KernelRecord;

/// Says how good a try is.
@FunctionalInterface
public interface Score {
  /// Asked once for each try that succeeded; the highest wins, and one that is not a number never
  /// does.
  ///
  /// @param fork the kernel it ran in, alive: more can be asked of it
  /// @param result what the try gave
  double of(KernelRecord fork, ExecutionResult result);
}
