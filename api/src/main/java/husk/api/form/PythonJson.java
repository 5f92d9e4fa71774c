package husk.api.form;

import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the first fault in what should be JSON, and names it as Python's parser does. It walks
/// with a stack of its own, so that no depth can overflow Java's.
final class PythonJson {
  /// @param at counted in characters from 0
  record Fault(int at, String why) {}

  private static final Pattern SCALAR =
      Pattern.compile("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
  private static final String VALUE = "Expecting value";
  private static final String NAME = "Expecting property name enclosed in double quotes";
  private static final String COMMA = "Expecting ',' delimiter";
  private static final String COLON = "Expecting ':' delimiter";

  private final String text;
  private final StringBuilder open = new StringBuilder();
  private int at;

  private PythonJson(String text) {
    this.text = text;
  }

  /// Empty when there is none: then something else, its depth above all, was too much.
  static Optional<Fault> fault(String text) {
    try {
      new PythonJson(text).document();
      return Optional.empty();
    } catch (Found found) {
      return Optional.of(new Fault(text.codePointCount(0, found.at), found.why));
    }
  }

  private void document() {
    space();
    value();
    while (!open.isEmpty()) {
      space();
      afterValue();
    }
    space();
    if (at < text.length()) {
      throw new Found(at, "Extra data");
    }
  }

  /// Reads one value, or the opening of one, down to its first scalar.
  private void value() {
    while (true) {
      char next = peek();
      if (next == '"') {
        string();
        return;
      }
      if (next != '{' && next != '[') {
        scalar();
        return;
      }
      at++;
      space();
      if (peek() == (next == '{' ? '}' : ']')) {
        at++;
        return;
      }
      open.append(next);
      if (next == '{') {
        name();
      }
    }
  }

  private void afterValue() {
    boolean object = open.charAt(open.length() - 1) == '{';
    char next = peek();
    if (next == (object ? '}' : ']')) {
      at++;
      open.setLength(open.length() - 1);
      return;
    }
    if (next != ',') {
      throw new Found(at, COMMA);
    }
    at++;
    space();
    if (object) {
      name();
    }
    value();
  }

  private void name() {
    if (peek() != '"') {
      throw new Found(at, NAME);
    }
    string();
    space();
    if (peek() != ':') {
      throw new Found(at, COLON);
    }
    at++;
    space();
  }

  private void scalar() {
    var matcher = SCALAR.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw new Found(at, VALUE);
    }
    at = matcher.end();
  }

  private void string() {
    int begin = at++;
    while (true) {
      if (at >= text.length()) {
        throw new Found(begin, "Unterminated string starting at");
      }
      char c = text.charAt(at);
      if (c == '"') {
        at++;
        return;
      }
      if (c < ' ') {
        throw new Found(at, "Invalid control character at");
      }
      if (c == '\\') {
        escape(begin);
      } else {
        at++;
      }
    }
  }

  private void escape(int begin) {
    if (at + 1 >= text.length()) {
      throw new Found(begin, "Unterminated string starting at");
    }
    char kind = text.charAt(at + 1);
    if (kind == 'u') {
      boolean four =
          at + 6 <= text.length() && text.substring(at + 2, at + 6).matches("[0-9a-fA-F]{4}");
      if (!four) {
        throw new Found(at + 1, "Invalid \\uXXXX escape");
      }
      at += 6;
    } else if ("\"\\/bfnrt".indexOf(kind) < 0) {
      throw new Found(at, "Invalid \\escape");
    } else {
      at += 2;
    }
  }

  private void space() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int at;
    private final String why;

    Found(int at, String why) {
      super(why, null, false, false);
      this.at = at;
      this.why = why;
    }
  }
}
