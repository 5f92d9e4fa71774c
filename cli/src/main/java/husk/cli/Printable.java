package husk.cli;

/// Text that may hold what a sandbox said, made fit for a terminal: nothing in it moves the cursor,
/// changes the title or turns the direction of what follows.
final class Printable {
  private Printable() {}

  /// One line: breaks and tabs are taken out too.
  static String line(String text) {
    return clean(text, false);
  }

  /// Lines and tabs stay.
  static String lines(String text) {
    return clean(text, true);
  }

  private static String clean(String text, boolean layout) {
    var clean = new StringBuilder(text);
    for (int i = 0; i < clean.length(); i++) {
      char c = clean.charAt(i);
      if (!(layout && (c == '\n' || c == '\t')) && harmful(c)) {
        clean.setCharAt(i, '?');
      }
    }
    return clean.toString();
  }

  /// Control characters, line breaks that only some know, and changes of direction.
  private static boolean harmful(char c) {
    return Character.isISOControl(c)
        || (c >= '\u2028' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
