package husk.model;

import java.util.List;
import java.util.Optional;

/// What came of trying several pieces of code from one state.
///
/// @param variants every try, in the order they were sent
/// @param winner the index of the best; empty when none succeeded, and the kernel is as it was
/// @param promoted whether the winner has taken the kernel's place
/// @param hazards what the tries lacked of the kernel
public record BestOf(
    List<Variant> variants, Optional<Integer> winner, boolean promoted, List<Hazard> hazards) {
  public BestOf {
    variants = List.copyOf(variants);
    hazards = List.copyOf(hazards);
  }

  /// One try and what came of it.
  ///
  /// @param score what the score's expression gave, if the try succeeded and it is a number
  /// @param scoreError why there is no score, if there should be one
  public record Variant(
      int index,
      String code,
      Optional<Long> seed,
      ExecutionResult result,
      Optional<Double> score,
      Optional<String> scoreError) {}
}
