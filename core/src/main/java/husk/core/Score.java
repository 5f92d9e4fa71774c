package husk.core;

import husk.model.ExecutionResult;
import java.util.Optional;
import java.util.regex.Pattern;

/// What an expression came to, as a number: Python's own ways to show one, and those of the
/// libraries that agents compute with.
final class Score {
  private static final String REAL = "([-+]?(?:inf|\\d+\\.?\\d*(?:e[-+]?\\d+)?|\\.\\d+))";

  /// Such as `np.float64(0.5)`, `array(0.5, dtype=float32)`, `tensor(0.5)` and `Decimal('0.5')`.
  private static final Pattern WRAPPED =
      Pattern.compile("(?:np\\.\\w+|Decimal|array|tensor)\\('?" + REAL + "'?(?:, \\w+=.*)?\\)");

  private static final Pattern PLAIN = Pattern.compile(REAL);
  private static final Pattern FRACTION = Pattern.compile("Fraction\\((-?\\d+), (\\d+)\\)");

  private Score() {}

  static Optional<Double> of(ExecutionResult scoring) {
    return scoring.returnValue().flatMap(Score::number);
  }

  static Optional<Double> number(String shown) {
    var fraction = FRACTION.matcher(shown);
    if (fraction.matches()) {
      return Optional.of(
          Double.parseDouble(fraction.group(1)) / Double.parseDouble(fraction.group(2)));
    }
    return switch (shown) {
      case "True", "np.True_" -> Optional.of(1.0);
      case "False", "np.False_" -> Optional.of(0.0);
      default -> real(shown);
    };
  }

  private static Optional<Double> real(String shown) {
    var wrapped = WRAPPED.matcher(shown);
    var text = wrapped.matches() ? wrapped.group(1) : shown;
    return PLAIN.matcher(text).matches()
        ? Optional.of(Double.parseDouble(text.replace("inf", "Infinity")))
        : Optional.empty();
  }

  /// Why it is none, for whoever wrote the expression.
  static String instead(ExecutionResult scoring) {
    return scoring
        .returnValue()
        .map(shown -> "the score is no number: " + shown)
        .orElse("the score is no number: the expression has no value");
  }
}
