package husk.api.sandboxes;

import husk.model.Problem;
import java.time.Duration;
import java.util.regex.Pattern;

/// Lengths of time as people write them: `90`, `90s`, `15m`, `1h`, `7d`.
final class Spans {
  private static final Pattern SPAN = Pattern.compile("([0-9]{1,9})([smhd]?)");

  private Spans() {}

  static Duration parse(String text) {
    var span = SPAN.matcher(text.strip());
    if (!span.matches()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + text + "` is no length of time",
          "write it like 90s, 15m, 1h or 7d");
    }
    long count = Long.parseLong(span.group(1));
    return switch (span.group(2)) {
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofSeconds(count);
    };
  }
}
