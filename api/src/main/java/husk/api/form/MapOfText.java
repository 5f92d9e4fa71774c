package husk.api.form;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Names and their texts.
public record MapOfText() implements Type {
  private static final Text TEXT = new Text();

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isObject()) {
      findings.add("dict_type", place, "Input should be a valid dictionary", input);
      return input;
    }
    input
        .properties()
        .forEach(entry -> TEXT.check(entry.getValue(), place.at(entry.getKey()), findings));
    return input;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.mapOf(Schema.string());
  }
}
