package husk.api.form;

import husk.wire.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Whole numbers in order, as large as Java's: two that differ must never become one.
public record ListOfWhole() implements Type {
  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isArray()) {
      findings.add("list_type", place, "Input should be a valid list", input);
      return input;
    }
    var checked = Json.MAPPER.createArrayNode();
    for (int i = 0; i < input.size(); i++) {
      checked.add(one(input.get(i), place.at(i), findings));
    }
    return checked;
  }

  private static JsonNode one(JsonNode input, Place place, Findings findings) {
    if (!input.isIntegralNumber()) {
      findings.add("int_type", place, "Input should be a valid integer", input);
    } else if (!input.canConvertToLong()) {
      findings.add("int_parsing_size", place, "Unable to parse input string as an integer", input);
    }
    return input;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.listOf(Schema.integer());
  }
}
