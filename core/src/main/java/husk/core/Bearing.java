package husk.core;

import java.util.List;
import java.util.function.BiFunction;

/// How a key of a project's file bears on what its user set.
///
/// @param opens what a wider value would open, in words
/// @param wider given what the file says and what it is measured against, the values that are wider
record Bearing<T, U>(String opens, BiFunction<T, U, List<String>> wider) {

  /// Whatever it says, no wall depends on it.
  static <T, U> Bearing<T, U> neutral() {
    return new Bearing<>("opens nothing", (_, _) -> List.of());
  }
}
