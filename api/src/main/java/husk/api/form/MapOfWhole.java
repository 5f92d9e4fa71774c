package husk.api.form;

import husk.wire.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Names and their whole numbers, none below 0.
public record MapOfWhole() implements Type {
  private static final Whole NUMBER = new Whole(0);

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isObject()) {
      findings.add("dict_type", place, "Input should be a valid dictionary", input);
      return input;
    }
    var checked = Json.MAPPER.createObjectNode();
    for (var entry : input.properties()) {
      var at = place.at(entry.getKey());
      checked.set(entry.getKey(), NUMBER.check(entry.getValue(), at, findings));
    }
    return checked;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.mapOf(NUMBER.schema());
  }
}
