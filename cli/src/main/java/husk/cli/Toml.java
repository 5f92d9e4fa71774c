package husk.cli;

import java.util.List;
import java.util.Map;

/// Writes TOML by hand. Its basic strings are those of JSON.
final class Toml {
  private final StringBuilder text = new StringBuilder();

  Toml table(String name) {
    text.append(text.isEmpty() ? "" : "\n").append('[').append(name).append("]\n");
    return this;
  }

  Toml text(String key, String value) {
    return raw(key, husk.local.JsonText.quoted(value));
  }

  Toml raw(String key, String value) {
    text.append(key(key)).append(" = ").append(value).append('\n');
    return this;
  }

  Toml strings(String key, List<String> values) {
    var list = new StringBuilder("[");
    for (String value : values) {
      list.append(list.length() > 1 ? ", " : "").append(husk.local.JsonText.quoted(value));
    }
    return raw(key, list.append(']').toString());
  }

  Toml strings(String table, Map<String, String> values) {
    if (!values.isEmpty()) {
      table(table);
      for (var entry : values.entrySet()) {
        text(entry.getKey(), entry.getValue());
      }
    }
    return this;
  }

  /// Letters, digits, `_` and `-` stand for themselves.
  private static String key(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean bare = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!bare && c != '_' && c != '-') {
        return husk.local.JsonText.quoted(key);
      }
    }
    return key.isEmpty() ? "\"\"" : key;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
