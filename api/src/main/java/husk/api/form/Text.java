package husk.api.form;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Any text. A number is none: silently making text of it hides a caller's mistake.
public record Text() implements Type {
  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (!input.isString()) {
      findings.add("string_type", place, "Input should be a valid string", input);
    }
    return input;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.string();
  }
}
