package husk.api.form;

import husk.model.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A request that cannot be understood. It is answered in FastAPI's shape, with every fault, and
/// with Husk's own `error` beside it.
public final class InvalidRequest extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Violation> violations;
  private final transient Problem problem;

  public InvalidRequest(List<Violation> violations) {
    var text = String.join("; ", violations.stream().map(Violation::sentence).toList());
    this.violations = List.copyOf(violations);
    this.problem = new Problem(Problem.Code.INVALID_REQUEST, text, remedies(violations));
    super(text);
  }

  private static List<String> remedies(List<Violation> violations) {
    return violations.stream()
            .anyMatch(violation -> violation.type().equals("model_attributes_type"))
        ? List.of("send a JSON object with `Content-Type: application/json`")
        : List.of("`/docs` and `/openapi.json` describe what each request takes");
  }

  /// What was sent is not JSON.
  static InvalidRequest notJson(int at, String why, JsonNode empty) {
    return new InvalidRequest(
        List.of(
            new Violation(
                "json_invalid",
                Place.BODY.at(at),
                "JSON decode error",
                empty,
                Map.of("error", why))));
  }

  /// Something that no single field is to blame for.
  public static InvalidRequest because(Place place, String why, JsonNode input) {
    return new InvalidRequest(
        List.of(
            new Violation(
                "value_error", place, "Value error, " + why, input, Map.of("error", Map.of()))));
  }

  public Problem problem() {
    return problem;
  }

  /// FastAPI's `detail`, and Husk's `error` beside it.
  public Map<String, Object> json(Object error) {
    var json = new LinkedHashMap<String, Object>();
    json.put("detail", violations.stream().map(Violation::json).toList());
    json.put("error", error);
    return json;
  }
}
