package husk.local;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A strict JSON reader for tests: objects to maps, arrays to lists, strings and words to strings.
final class SmallJson {
  private final String json;
  private int at;

  private SmallJson(String json) {
    this.json = json;
  }

  static Object parse(String json) {
    var reader = new SmallJson(json);
    var value = reader.value();
    reader.blanks();
    if (reader.at != json.length()) {
      throw new IllegalArgumentException("more after the end of " + json);
    }
    return value;
  }

  private Object value() {
    blanks();
    return switch (json.charAt(at)) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    var object = new LinkedHashMap<String, Object>();
    at++;
    blanks();
    while (json.charAt(at) != '}') {
      if (!object.isEmpty()) {
        expect(',');
        blanks();
      }
      String key = string();
      blanks();
      expect(':');
      object.put(key, value());
      blanks();
    }
    at++;
    return object;
  }

  private List<Object> array() {
    var array = new ArrayList<Object>();
    at++;
    blanks();
    while (json.charAt(at) != ']') {
      if (!array.isEmpty()) {
        expect(',');
      }
      array.add(value());
      blanks();
    }
    at++;
    return array;
  }

  private String string() {
    expect('"');
    var text = new StringBuilder();
    while (json.charAt(at) != '"') {
      char c = json.charAt(at++);
      if (c < ' ') {
        throw new IllegalArgumentException("a bare control character");
      }
      text.append(c == '\\' ? escaped() : c);
    }
    at++;
    return text.toString();
  }

  private char escaped() {
    char c = json.charAt(at++);
    int named = "nrtbf\"\\/".indexOf(c);
    if (named >= 0) {
      return "\n\r\t\b\f\"\\/".charAt(named);
    }
    if (c != 'u') {
      throw new IllegalArgumentException("an unknown escape: " + c);
    }
    at += 4;
    return (char) Integer.parseInt(json.substring(at - 4, at), 16);
  }

  private String word() {
    int start = at;
    while (at < json.length() && "truefalsn+-.0123456789E".indexOf(json.charAt(at)) >= 0) {
      at++;
    }
    String word = json.substring(start, at);
    if (!word.matches("true|false|null|-?\\d+(\\.\\d+)?(E-?\\d+)?")) {
      throw new IllegalArgumentException("not a word of JSON: " + word);
    }
    return word;
  }

  private void blanks() {
    while (at < json.length() && json.charAt(at) <= ' ') {
      at++;
    }
  }

  private void expect(char c) {
    if (json.charAt(at++) != c) {
      throw new IllegalArgumentException("expected " + c + " at " + (at - 1) + " of " + json);
    }
  }
}
