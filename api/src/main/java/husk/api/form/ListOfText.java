package husk.api.form;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Texts in order.
public record ListOfText() implements Type {
  private static final Text TEXT = new Text();

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isArray()) {
      findings.add("list_type", place, "Input should be a valid list", input);
      return input;
    }
    for (int i = 0; i < input.size(); i++) {
      TEXT.check(input.get(i), place.at(i), findings);
    }
    return input;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.listOf(Schema.string());
  }
}
