package husk.api.form;

import husk.wire.Json;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Yes or no, also in the words and figures that people and query strings use.
public record Flag() implements Type {
  private static final Set<String> YES = Set.of("1", "true", "t", "yes", "y", "on");
  private static final Set<String> NO = Set.of("0", "false", "f", "no", "n", "off");

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    if (input.isBoolean()) {
      return input;
    }
    var word = word(input);
    if (YES.contains(word) || NO.contains(word)) {
      return Json.MAPPER.valueToTree(YES.contains(word));
    }
    if (input.isString() || input.isIntegralNumber()) {
      findings.add(
          "bool_parsing",
          place,
          "Input should be a valid boolean, unable to interpret input",
          input);
    } else {
      findings.add("bool_type", place, "Input should be a valid boolean", input);
    }
    return input;
  }

  private static String word(JsonNode input) {
    if (input.isNumber()) {
      return input.doubleValue() == 1 ? "1" : input.doubleValue() == 0 ? "0" : "";
    }
    return input.isString() ? input.stringValue().toLowerCase(Locale.ROOT) : "";
  }

  @Override
  public Map<String, Object> schema() {
    return Schema.bool();
  }
}
