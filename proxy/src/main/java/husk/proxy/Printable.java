package husk.proxy;

/// Text from strangers, made fit for logs, terminals and header lines.
final class Printable {
  private Printable() {}

  /// At most `limit` characters of printable ASCII; anything else becomes a question mark.
  static String text(String text, int limit) {
    var end = Math.min(text.length(), limit);
    var clean = new StringBuilder(end);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      clean.append(c >= ' ' && c <= '~' ? c : '?');
    }
    return clean.toString();
  }
}
