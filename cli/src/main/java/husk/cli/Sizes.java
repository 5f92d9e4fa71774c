package husk.cli;

import java.util.Locale;

/// Amounts as people write them: `512M`, `2G`, `1.5GB`, and without a unit megabytes; `50%` and
/// `0.5` of a processor.
final class Sizes {
  private static final double MOST = 1L << 40;

  private Sizes() {}

  /// The megabytes of an option; a part of one counts as one.
  static long megabytes(Arguments arguments, String option) {
    String text = arguments.require(option);
    double size = megabytes(text);
    if (!(size > 0 && size <= MOST)) {
      throw arguments.usage(
          "`--" + option + "` is `" + text + "`: write a size such as 512M, 2G or 1.5GB");
    }
    return (long) Math.ceil(size);
  }

  /// -1 for what is no size.
  static double megabytes(String text) {
    String size = text.toUpperCase(Locale.ROOT);
    if (size.endsWith("IB")) {
      size = size.substring(0, size.length() - 2);
    } else if (size.endsWith("B")) {
      size = size.substring(0, size.length() - 1);
    }
    double unit = size.isEmpty() ? 0 : unit(size.charAt(size.length() - 1));
    boolean bytes = unit == 0 && !size.equals(text.toUpperCase(Locale.ROOT));
    double count = Durations.number(unit == 0 ? size : size.substring(0, size.length() - 1));
    return bytes || count < 0 ? -1 : count * (unit == 0 ? 1 : unit);
  }

  private static double unit(char letter) {
    return switch (letter) {
      case 'K' -> 1.0 / 1024;
      case 'M' -> 1;
      case 'G' -> 1024;
      case 'T' -> 1024 * 1024;
      default -> 0;
    };
  }

  /// Percent of one processor.
  static long percent(Arguments arguments, String option) {
    String text = arguments.require(option);
    boolean percent = text.endsWith("%");
    double count = Durations.number(percent ? text.substring(0, text.length() - 1) : text);
    double share = percent ? count : count * 100;
    if (!(share >= 1 && share <= 1_000_000)) {
      throw arguments.usage(
          "`--" + option + "` is `" + text + "`: write processors such as 0.5 or 2, or 50%");
    }
    return Math.round(share);
  }
}
