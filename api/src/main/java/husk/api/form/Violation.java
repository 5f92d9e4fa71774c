package husk.api.form;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One thing that is wrong with a request, as FastAPI reports it.
///
/// @param type pydantic's name for the kind of fault
/// @param place where it is
/// @param msg what would be right
/// @param input what was sent instead
/// @param context the figures in `msg`, for programs
public record Violation(
    String type, Place place, String msg, JsonNode input, Map<String, Object> context) {

  /// As FastAPI writes it; a context is only there when it says something.
  public Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("type", type);
    json.put("loc", place.steps());
    json.put("msg", msg);
    json.put("input", input);
    if (!context.isEmpty()) {
      json.put("ctx", context);
    }
    return json;
  }

  /// For people: `timeout`: Input should be …
  String sentence() {
    if (type.equals("json_invalid")) {
      return msg + " at character " + place.steps().getLast() + ": " + context.get("error");
    }
    List<Object> inside = place.steps().subList(1, place.steps().size());
    var name = inside.isEmpty() ? place.steps() : inside;
    return "`" + String.join(".", name.stream().map(String::valueOf).toList()) + "`: " + msg;
  }
}
