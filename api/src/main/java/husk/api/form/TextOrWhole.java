package husk.api.form;

import husk.wire.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A word or a whole number; read as a text either way.
public record TextOrWhole() implements Type {
  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (input.isIntegralNumber()) {
      return Json.MAPPER.valueToTree(input.asString());
    }
    return new Text().check(input, place, findings);
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.anyOf(List.of(Schema.string(), Schema.integer()));
  }
}
