package husk.cli.people;

import husk.local.JsonParts;
import husk.local.JsonPeek;
import java.util.List;
import java.util.Map;

/// One JSON object, taken apart.
final class Fields {
  private final Map<String, String> fields;

  Fields(String json) {
    this.fields = JsonParts.fields(json);
  }

  /// A value as people read it; `-` for none.
  String text(String key) {
    String value = fields.getOrDefault(key, "null");
    return value.equals("null") ? "-" : JsonParts.shown(value);
  }

  boolean has(String key) {
    return !fields.getOrDefault(key, "null").equals("null");
  }

  boolean is(String key) {
    return fields.getOrDefault(key, "").equals("true");
  }

  double number(String key) {
    return JsonPeek.at("[" + fields.getOrDefault(key, "0") + "]", "0")
        .map(Double::parseDouble)
        .orElse(0.0);
  }

  Fields object(String key) {
    return new Fields(fields.getOrDefault(key, "{}"));
  }

  List<Fields> objects(String key) {
    return JsonParts.items(fields.getOrDefault(key, "[]")).stream().map(Fields::new).toList();
  }

  List<String> strings(String key) {
    return JsonParts.strings(fields.getOrDefault(key, "[]"));
  }

  static List<Fields> all(String array) {
    return JsonParts.items(array).stream().map(Fields::new).toList();
  }
}
