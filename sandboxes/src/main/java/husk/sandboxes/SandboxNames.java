package husk.sandboxes;

import husk.model.Problem;
import java.util.regex.Pattern;

/// The rules for sandboxes' names and labels.
public final class SandboxNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-_]?[A-Za-z0-9])*");
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,63}");
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._/-]{1,255}");
  private static final int LONGEST = 63;

  private SandboxNames() {}

  /// Gives the name back, or refuses it.
  public static String require(String name) {
    if (name.length() > LONGEST || !NAME.matcher(name).matches()) {
      throw new Problem(
          Problem.Code.INVALID_NAME,
          "`" + shown(name) + "` cannot be a sandbox's name",
          "use 1 to 63 letters and digits, with single `-` or `_` between them");
    }
    return name;
  }

  static void requireLabel(String key, String value) {
    if (!LABEL.matcher(key).matches() || !VALUE.matcher(value).matches()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + shown(key + "=" + value) + "` cannot be a label",
          "a key has 1 to 63 of A-Z a-z 0-9 - _ . and a value 1 to 255 of those and /");
    }
  }

  private static String shown(String text) {
    var clean = new StringBuilder();
    text.codePoints()
        .limit(80)
        .forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return clean.toString();
  }
}
