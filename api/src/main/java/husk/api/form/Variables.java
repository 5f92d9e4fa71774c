package husk.api.form;

import husk.wire.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Environment variables: names and their texts, or a list of `NAME=VALUE`; read as the former
/// either way.
public record Variables() implements Type {
  private static final MapOfText MAP = new MapOfText();

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    return input.isArray() ? pairs(input, place, findings) : MAP.check(input, place, findings);
  }

  private static JsonNode pairs(JsonNode input, Place place, Findings findings) {
    var map = Json.MAPPER.createObjectNode();
    for (int i = 0; i < input.size(); i++) {
      var pair = input.get(i).isString() ? input.get(i).stringValue() : "";
      int at = pair.indexOf('=');
      if (at < 1) {
        findings.add("value_error", place.at(i), "Input should be NAME=VALUE", input.get(i));
      } else {
        map.put(pair.substring(0, at), pair.substring(at + 1));
      }
    }
    return map;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.anyOf(List.of(Schema.mapOf(Schema.string()), Schema.listOf(Schema.string())));
  }
}
