package husk.api.form;

import husk.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Gathers what is wrong, because a caller wants to hear all of it at once.
public final class Findings {
  private final List<Violation> violations = new ArrayList<>();

  void add(String type, Place place, String msg, JsonNode input) {
    add(type, place, msg, input, Map.of());
  }

  void add(String type, Place place, String msg, JsonNode input, Map<String, Object> context) {
    violations.add(new Violation(type, place, msg, input, context));
  }

  /// Something that must be there is not.
  public void missing(Place place) {
    add("missing", place, "Field required", Json.MAPPER.nullNode());
  }

  void addAll(Findings others) {
    violations.addAll(others.violations);
  }

  boolean isEmpty() {
    return violations.isEmpty();
  }

  /// Throws them, if there are any.
  public void refuse() {
    if (!violations.isEmpty()) {
      throw refusal();
    }
  }

  InvalidRequest refusal() {
    return new InvalidRequest(violations);
  }
}
