package husk.cli.people;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/// Spans of time in plain words.
final class Spans {
  private Spans() {}

  /// The two largest units: `3 s`, `2 min 5 s`, `1 h 30 min`, `4 d 2 h`.
  static String words(double seconds) {
    long whole = Math.max(0, (long) seconds);
    if (whole < 60) {
      return whole + " s";
    }
    if (whole < 3600) {
      return two(whole / 60, "min", whole % 60, "s");
    }
    return whole < 86_400
        ? two(whole / 3600, "h", whole % 3600 / 60, "min")
        : two(whole / 86_400, "d", whole % 86_400 / 3600, "h");
  }

  private static String two(long large, String unit, long small, String below) {
    return small == 0 ? large + " " + unit : large + " " + unit + " " + small + " " + below;
  }

  /// How long ago a point in time was; `-` for what is none.
  static String ago(String time, OffsetDateTime now) {
    try {
      return words(Duration.between(OffsetDateTime.parse(time), now).toMillis() / 1000.0) + " ago";
    } catch (DateTimeParseException _) {
      return "-";
    }
  }

  /// How long something took, to the millisecond where it was short.
  static String between(String from, String to) {
    try {
      long took = Duration.between(OffsetDateTime.parse(from), OffsetDateTime.parse(to)).toMillis();
      return took < 1000 ? took + " ms" : words(took / 1000.0);
    } catch (DateTimeParseException _) {
      return "-";
    }
  }
}
