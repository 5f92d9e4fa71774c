package husk.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Takes a JSON array or object apart into the texts of its values, to be passed on or filtered.
///
/// It reads what the daemon wrote, which is well-formed; of anything else it takes what it can.
public final class JsonParts {
  private final String json;
  private int at;

  private JsonParts(String json) {
    this.json = json;
  }

  /// The items of an array, each without the blanks between its values.
  public static List<String> items(String array) {
    return List.copyOf(new JsonParts(compact(array)).parts(false).values());
  }

  /// The values of an object by their keys, in order.
  public static Map<String, String> fields(String object) {
    return new JsonParts(compact(object)).parts(true);
  }

  /// A value as people read it: a string's characters, anything else as it is.
  public static String shown(String value) {
    return value.startsWith("\"") ? JsonPeek.at("[" + value + "]", "0").orElse(value) : value;
  }

  /// Without the blanks between values; those within strings stay.
  public static String compact(String json) {
    var text = new StringBuilder(json.length());
    boolean quoted = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (quoted && c == '\\' && i + 1 < json.length()) {
        text.append(c).append(json.charAt(++i));
        continue;
      }
      quoted ^= c == '"';
      if (quoted || c > ' ') {
        text.append(c);
      }
    }
    return text.toString();
  }

  private Map<String, String> parts(boolean keyed) {
    var parts = new LinkedHashMap<String, String>();
    if (json.length() < 2 || json.charAt(0) != (keyed ? '{' : '[')) {
      return parts;
    }
    at = 1;
    while (at < json.length() - 1) {
      String key = keyed ? shown(value()) : String.valueOf(parts.size());
      at += keyed ? 1 : 0;
      parts.put(key, value());
      at++;
    }
    return parts;
  }

  /// The text up to the comma, colon or bracket that ends this value.
  private String value() {
    int start = at;
    boolean quoted = false;
    for (int depth = 0; at < json.length(); at++) {
      char c = json.charAt(at);
      if (quoted && c == '\\') {
        at++;
        continue;
      }
      quoted ^= c == '"';
      if (quoted) {
        continue;
      }
      boolean closing = c == ']' || c == '}';
      if (depth == 0 && (closing || c == ',' || c == ':')) {
        break;
      }
      depth += closing ? -1 : c == '[' || c == '{' ? 1 : 0;
    }
    return json.substring(start, Math.min(at, json.length()));
  }

  /// The values of an array of strings.
  public static List<String> strings(String array) {
    var strings = new ArrayList<String>();
    for (String item : items(array)) {
      strings.add(shown(item));
    }
    return strings;
  }
}
