package husk.core;

import husk.model.Problem;
import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// Variables that a caller, or the daemon as its own caller, has every new kernel get: a JSON
/// object in `HUSK_KERNEL_ENV`.
final class KernelVariables {
  static final String VARIABLE = "HUSK_KERNEL_ENV";

  private KernelVariables() {}

  static Map<String, String> of(Caller caller) {
    var json = caller.variables().getOrDefault(VARIABLE, "");
    if (json.isBlank()) {
      return Map.of();
    }
    var variables = new TreeMap<String, String>();
    for (var entry : read(json).entrySet()) {
      if (!(entry.getValue() instanceof String value)) {
        throw wrong("the value of `" + entry.getKey() + "` is not a text");
      }
      variables.put(entry.getKey(), value);
    }
    return variables;
  }

  private static Map<String, Object> read(String json) {
    try {
      return Json.map(Json.tree(json.getBytes(StandardCharsets.UTF_8)));
    } catch (Problem unreadable) {
      throw wrong("it cannot be read").causedBy(unreadable);
    }
  }

  /// Without the value, in which there may be secrets.
  private static Problem wrong(String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        VARIABLE + " is not a JSON object of texts: " + why,
        "write it like {\"NAME\": \"value\"}");
  }
}
