package husk.kernels;

/// Text that is kept up to a limit; what comes after is counted, not kept.
final class BoundedText {
  static final String MARKER = "\n...[truncated by husk]...";

  private final int limit;
  private final StringBuilder kept = new StringBuilder();
  private boolean truncated;

  /// @param limit characters; zero or less for no limit
  BoundedText(int limit) {
    this.limit = limit <= 0 ? Integer.MAX_VALUE - 64 : limit;
  }

  /// Adds as much of `text` as fits, and gives that part back.
  String append(String text) {
    int room = limit - kept.length();
    if (text.length() <= room) {
      kept.append(text);
      return text;
    }
    truncated = true;
    var part = text.substring(0, wholeCharacters(text, Math.max(0, room)));
    kept.append(part);
    return part;
  }

  private static int wholeCharacters(String text, int length) {
    return length > 0
            && length < text.length()
            && Character.isHighSurrogate(text.charAt(length - 1))
        ? length - 1
        : length;
  }

  void clear() {
    kept.setLength(0);
    truncated = false;
  }

  boolean truncated() {
    return truncated;
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  /// The text without colour codes; the end of a truncated one says so, within the limit.
  @Override
  public String toString() {
    var text = Ansi.strip(kept.toString());
    if (!truncated) {
      return text;
    }
    int room = Math.max(0, limit - MARKER.length());
    return text.substring(0, wholeCharacters(text, Math.min(room, text.length()))) + MARKER;
  }

  /// Cuts one text in the same way.
  static String cut(String text, int limit) {
    var bounded = new BoundedText(limit);
    bounded.append(text);
    return bounded.toString();
  }

  static boolean exceeds(String text, int limit) {
    return limit > 0 && text.length() > limit;
  }
}
