package husk.local;

import java.util.Optional;

/// Looks up one value in a JSON text without building anything of it.
///
/// The client passes on what the daemon says as it is; it looks only at the few words it has to act
/// on, such as the status of a result that came at the end of a stream.
public final class JsonPeek {
  private final String json;
  private int at;

  private JsonPeek(String json) {
    this.json = json;
  }

  /// The string, number or word at the end of `path`, whose steps are keys of objects and numbers
  /// of array items. Empty when there is none, when it is null, an object or an array, and when the
  /// text is not JSON.
  public static Optional<String> at(String json, String... path) {
    try {
      return new JsonPeek(json).find(path);
    } catch (StringIndexOutOfBoundsException | NumberFormatException _) {
      return Optional.empty();
    }
  }

  private Optional<String> find(String... path) {
    for (String step : path) {
      if (!enter(step)) {
        return Optional.empty();
      }
    }
    char c = next();
    if (c == '"') {
      return Optional.of(string());
    }
    if (c == '{' || c == '[') {
      return Optional.empty();
    }
    String word = word();
    return word.isEmpty() || word.equals("null") ? Optional.empty() : Optional.of(word);
  }

  /// Moves to the value of one key or item; false when there is none.
  private boolean enter(String step) {
    char open = next();
    if (open != '{' && open != '[') {
      return false;
    }
    at++;
    for (int item = 0; next() != '}' && json.charAt(at) != ']'; item++) {
      String key = open == '{' ? key() : String.valueOf(item);
      if (key.equals(step)) {
        return true;
      }
      skip();
      if (next() == ',') {
        at++;
      }
    }
    return false;
  }

  private String key() {
    String key = string();
    if (next() == ':') {
      at++;
    }
    return key;
  }

  /// Passes over one value, however deep, without recursion.
  private void skip() {
    int depth = 0;
    do {
      switch (next()) {
        case '"' -> string();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        case ',', ':' -> at++;
        default -> word();
      }
    } while (depth > 0);
  }

  private char next() {
    while (json.charAt(at) <= ' ') {
      at++;
    }
    return json.charAt(at);
  }

  /// A number or `true`, `false`, `null`; at least one character is passed.
  private String word() {
    int start = at++;
    while (at < json.length() && ",:]}[{\" \t\r\n".indexOf(json.charAt(at)) < 0) {
      at++;
    }
    return json.substring(start, at);
  }

  private String string() {
    var text = new StringBuilder();
    for (at++; json.charAt(at) != '"'; at++) {
      char c = json.charAt(at);
      text.append(c == '\\' ? escaped() : c);
    }
    at++;
    return text.toString();
  }

  private char escaped() {
    char c = json.charAt(++at);
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        int code = Integer.parseInt(json.substring(at + 1, at + 5), 16);
        at += 4;
        yield (char) code;
      }
      default -> c;
    };
  }
}
