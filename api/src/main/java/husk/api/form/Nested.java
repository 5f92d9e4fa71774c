package husk.api.form;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A form inside a form.
public record Nested(Form<?> form) implements Type {
  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    return form.check(input, place, findings);
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.ref(form.name());
  }
}
