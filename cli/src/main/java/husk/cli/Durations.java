package husk.cli;

import java.util.Optional;

/// Spans of time as people write them: `90`, `30s`, `5m`, `2h30m`, `7d`, `1.5h`; `0` is none.
final class Durations {
  /// A hundred years: more is a slip of the finger, and would overflow somewhere.
  private static final double LONGEST = 100.0 * 366 * 86_400;

  private Durations() {}

  /// The milliseconds of an option, or those of `otherwise` when it is not given.
  static long milliseconds(Arguments arguments, String option, String otherwise) {
    String text = arguments.find(option).orElse(otherwise);
    double seconds = seconds(text);
    if (seconds < 0) {
      throw arguments.usage(
          "`--" + option + "` is `" + text + "`: write seconds, or 30s, 5m, 2h30m, 7d");
    }
    return (long) Math.ceil(seconds * 1000);
  }

  /// The seconds of an option, if it is given.
  static Optional<Double> find(Arguments arguments, String option) {
    return arguments.find(option).isEmpty()
        ? Optional.empty()
        : Optional.of(milliseconds(arguments, option, "0") / 1000.0);
  }

  /// Whole seconds; a part of one counts as one.
  static long seconds(Arguments arguments, String option, String otherwise) {
    return Math.ceilDiv(milliseconds(arguments, option, otherwise), 1000);
  }

  /// -1 for what is no span of time.
  static double seconds(String text) {
    double total = 0;
    int start = 0;
    double smallest = Double.MAX_VALUE;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (digit(c)) {
        continue;
      }
      double unit = unit(c);
      double count = number(text.substring(start, i));
      if (unit == 0 || unit >= smallest || count < 0) {
        return -1;
      }
      total += count * unit;
      smallest = unit;
      start = i + 1;
    }
    double rest = start == 0 ? number(text) : start == text.length() ? 0 : -1;
    return rest < 0 || total + rest > LONGEST ? -1 : total + rest;
  }

  private static double unit(char letter) {
    return switch (letter) {
      case 'd' -> 86_400;
      case 'h' -> 3600;
      case 'm' -> 60;
      case 's' -> 1;
      default -> 0;
    };
  }

  /// A number in digits; -1 for anything else.
  static double number(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!digit(text.charAt(i))) {
        return -1;
      }
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return -1;
    }
  }

  private static boolean digit(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }
}
