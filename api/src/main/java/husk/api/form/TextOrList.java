package husk.api.form;

import husk.wire.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One text, or several in order; read as a list either way.
public record TextOrList() implements Type {
  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (input.isString()) {
      return Json.MAPPER.createArrayNode().add(input);
    }
    var asList = new Findings();
    new ListOfText().check(input, place.at("list[str]"), asList);
    if (!asList.isEmpty()) {
      new Text().check(input, place.at("str"), findings);
      findings.addAll(asList);
    }
    return input;
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.anyOf(List.of(Schema.string(), Schema.listOf(Schema.string())));
  }
}
