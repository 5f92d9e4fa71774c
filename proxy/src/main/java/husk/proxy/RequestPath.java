package husk.proxy;

import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;

/// The path of a request in the forms in which it may be understood.
///
/// @param forwarded what the server gets: without dot segments, nothing escaped that need not be
/// @param plain the same for comparison: repeated slashes are one
/// @param decoded with every escape undone, as a careless server may read it
record RequestPath(String forwarded, String plain, String decoded) {
  private static final int MOST_ENCODINGS = 3;

  static RequestPath parse(String raw) throws Refusal {
    checkEscapes(raw);
    var forwarded = withoutDots(unescape(raw, false));
    var decoded = decoded(forwarded);
    for (var segment : decoded.split("/", -1)) {
      if (segment.matches("\\.{1,2}(;.*)?")) {
        throw Refusal.malformed("the path hides a dot segment");
      }
    }
    return new RequestPath(forwarded, oneSlash(forwarded), oneSlash(decoded));
  }

  private static void checkEscapes(String raw) throws Refusal {
    for (int i = raw.indexOf('%'); i >= 0; i = raw.indexOf('%', i + 1)) {
      if (!isEscape(raw, i)) {
        throw Refusal.malformed("a percent sign that escapes nothing");
      }
    }
    if (raw.indexOf('\\') >= 0) {
      throw Refusal.malformed("a backslash in the path");
    }
  }

  /// Undoes escapes until there are none left.
  private static String decoded(String path) throws Refusal {
    var decoded = path;
    for (int i = 0; i < MOST_ENCODINGS; i++) {
      var once = unescape(decoded, true).replace('\\', '/');
      if (once.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
        throw Refusal.malformed("an escaped control character in the path");
      }
      if (once.equals(decoded)) {
        return decoded;
      }
      decoded = once;
    }
    throw Refusal.malformed("the path is escaped several times over");
  }

  /// @param all or else only what may as well stand unescaped
  private static String unescape(String path, boolean all) {
    var text = new StringBuilder(path.length());
    for (int i = 0; i < path.length(); i++) {
      if (isEscape(path, i) && (all || isUnreserved(value(path, i)))) {
        text.append(value(path, i));
        i += 2;
      } else {
        text.append(path.charAt(i));
      }
    }
    return text.toString();
  }

  private static boolean isEscape(String path, int at) {
    return path.charAt(at) == '%'
        && at + 2 < path.length()
        && HexFormat.isHexDigit(path.charAt(at + 1))
        && HexFormat.isHexDigit(path.charAt(at + 2));
  }

  private static char value(String path, int at) {
    return (char) HexFormat.fromHexDigits(path, at + 1, at + 3);
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-._~".indexOf(c) >= 0;
  }

  /// As RFC 3986 says in 5.2.4; `path` begins with a slash.
  private static String withoutDots(String path) {
    var kept = new ArrayDeque<String>();
    var segments = List.of(path.substring(1).split("/", -1));
    for (int i = 0; i < segments.size(); i++) {
      var segment = segments.get(i);
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.equals(".")) {
        kept.addLast(segment);
      }
      if (i == segments.size() - 1 && (segment.equals("..") || segment.equals("."))) {
        kept.addLast("");
      }
    }
    return "/" + String.join("/", kept);
  }

  private static String oneSlash(String path) {
    return path.replaceAll("/{2,}", "/");
  }
}
