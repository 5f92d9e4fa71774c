package husk.api.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Pieces of JSON Schema 2020-12, as OpenAPI 3.1 takes it.
public final class Schema {
  private Schema() {}

  public static Map<String, Object> string() {
    return Map.of("type", "string");
  }

  public static Map<String, Object> integer() {
    return Map.of("type", "integer");
  }

  public static Map<String, Object> number() {
    return Map.of("type", "number");
  }

  public static Map<String, Object> bool() {
    return Map.of("type", "boolean");
  }

  public static Map<String, Object> nothing() {
    return Map.of("type", "null");
  }

  /// Anything at all.
  public static Map<String, Object> any() {
    return Map.of();
  }

  public static Map<String, Object> constant(Object value) {
    return Map.of("const", value);
  }

  /// Date and time as Python's `isoformat` writes them.
  public static Map<String, Object> instant() {
    return ordered("type", "string", "format", "date-time");
  }

  public static Map<String, Object> id() {
    return ordered("type", "string", "pattern", "^[0-9a-f]{32}$");
  }

  public static Map<String, Object> oneOfWords(List<String> words) {
    return ordered("type", "string", "enum", words);
  }

  public static Map<String, Object> listOf(Map<String, Object> item) {
    return ordered("type", "array", "items", item);
  }

  public static Map<String, Object> mapOf(Map<String, Object> value) {
    return ordered("type", "object", "additionalProperties", value);
  }

  public static Map<String, Object> anyOf(List<Map<String, Object>> kinds) {
    return ordered("anyOf", kinds);
  }

  public static Map<String, Object> orNull(Map<String, Object> kind) {
    return anyOf(List.of(kind, nothing()));
  }

  /// One of the document's components.
  public static Map<String, Object> ref(String name) {
    return Map.of("$ref", "#/components/schemas/" + name);
  }

  public static Map<String, Object> described(Map<String, Object> schema, String description) {
    var described = new LinkedHashMap<>(schema);
    described.put("description", description);
    return described;
  }

  /// An object; the properties whose names end with `?` may be missing.
  public static Map<String, Object> object(Object... namesAndSchemas) {
    var given = ordered(namesAndSchemas);
    var properties = new LinkedHashMap<String, Object>();
    given.forEach((name, schema) -> properties.put(name.replace("?", ""), schema));
    var required = given.keySet().stream().filter(name -> !name.endsWith("?")).toList();
    return required.isEmpty()
        ? ordered("type", "object", "properties", properties)
        : ordered("type", "object", "properties", properties, "required", required);
  }

  /// A map in the order it is written.
  public static Map<String, Object> ordered(Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
