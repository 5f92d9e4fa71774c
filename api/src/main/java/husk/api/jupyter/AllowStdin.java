package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// Tells whether an execution may ask its client for input, without reading the code it carries.
final class AllowStdin {
  private static final byte[] KEY = "\"allow_stdin\"".getBytes(US_ASCII);
  private static final byte[] FALSE = "false".getBytes(US_ASCII);

  private AllowStdin() {}

  /// Whether the content does not say `"allow_stdin": false`. In a string the quotes would be
  /// escaped.
  static boolean in(byte[] content) {
    for (int i = 0; i + KEY.length <= content.length; i++) {
      if (content[i] == '"' && at(content, i, KEY)) {
        int value = pastBlanksAndColon(content, i + KEY.length);
        return !at(content, value, FALSE);
      }
    }
    return true;
  }

  private static boolean at(byte[] content, int from, byte[] wanted) {
    for (int i = 0; i < wanted.length; i++) {
      if (from + i >= content.length || content[from + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  private static int pastBlanksAndColon(byte[] content, int from) {
    int at = from;
    while (at < content.length && (content[at] <= ' ' || content[at] == ':')) {
      at++;
    }
    return at;
  }
}
