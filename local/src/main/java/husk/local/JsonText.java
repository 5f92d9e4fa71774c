package husk.local;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes one JSON object by hand, field by field. It is valid whatever the strings hold: half of a
/// surrogate pair is escaped, so that it survives UTF-8.
public final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder(256).append('{');

  public JsonText text(String key, String value) {
    key(key);
    quote(text, value);
    return this;
  }

  public JsonText text(String key, Optional<String> value) {
    return value.isPresent() ? text(key, value.get()) : this;
  }

  public JsonText number(String key, long value) {
    key(key);
    text.append(value);
    return this;
  }

  /// A number with a fraction; JSON has no word for those that are not finite.
  public JsonText number(String key, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(key + " is not a finite number");
    }
    key(key);
    text.append(value);
    return this;
  }

  public JsonText flag(String key, boolean value) {
    key(key);
    text.append(value);
    return this;
  }

  public JsonText strings(String key, List<String> values) {
    key(key);
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        text.append(',');
      }
      quote(text, values.get(i));
    }
    text.append(']');
    return this;
  }

  public JsonText strings(String key, Map<String, String> values) {
    var object = new JsonText();
    for (var entry : values.entrySet()) {
      object.text(entry.getKey(), entry.getValue());
    }
    return object(key, object);
  }

  public JsonText object(String key, JsonText value) {
    return json(key, value.toString());
  }

  /// A field whose value is JSON already.
  public JsonText json(String key, String value) {
    key(key);
    text.append(value);
    return this;
  }

  public boolean isEmpty() {
    return text.length() == 1;
  }

  @Override
  public String toString() {
    return text + "}";
  }

  /// One string as JSON.
  public static String quoted(String value) {
    var text = new StringBuilder(value.length() + 16);
    quote(text, value);
    return text.toString();
  }

  private void key(String key) {
    if (!isEmpty()) {
      text.append(',');
    }
    quote(text, key);
    text.append(':');
  }

  private static void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))) {
        text.append(c).append(value.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        escape(text, c);
      } else {
        append(text, c);
      }
    }
    text.append('"');
  }

  private static void append(StringBuilder text, char c) {
    switch (c) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case '\n' -> text.append("\\n");
      case '\r' -> text.append("\\r");
      case '\t' -> text.append("\\t");
      default -> {
        if (c < ' ' || c == 0x7f) {
          escape(text, c);
        } else {
          text.append(c);
        }
      }
    }
  }

  private static void escape(StringBuilder text, char c) {
    text.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      text.append(HEX.charAt((c >> shift) & 15));
    }
  }
}
