package husk.api.form;

import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A number, `least` or more. More than `most` is taken as `most`, which is for ever.
public record Real(double least, double most) implements Type {
  private static final Pattern FIGURES =
      Pattern.compile("[+-]?(\\d+(_\\d+)*\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?");
  private static final Pattern FOR_EVER = Pattern.compile("(?i)\\+?inf(inity)?");
  private static final double A_CENTURY = 36_500 * 86_400.0;

  /// A time in seconds.
  public static Real seconds(double least) {
    return new Real(least, A_CENTURY);
  }

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    var value = value(input, place, findings);
    if (value.isEmpty()) {
      return input;
    }
    if (value.getAsDouble() < least) {
      findings.add(
          "greater_than_equal",
          place,
          "Input should be greater than or equal to " + bound(),
          input,
          Map.of("ge", bound()));
    }
    return Json.MAPPER.valueToTree(Math.min(value.getAsDouble(), most));
  }

  private static OptionalDouble value(JsonNode input, Place place, Findings findings) {
    if (input.isBoolean()) {
      return OptionalDouble.of(input.booleanValue() ? 1 : 0);
    }
    if (input.isNumber()) {
      return OptionalDouble.of(input.doubleValue());
    }
    if (!input.isString()) {
      findings.add("float_type", place, "Input should be a valid number", input);
      return OptionalDouble.empty();
    }
    var text = input.stringValue().strip();
    if (FIGURES.matcher(text).matches()) {
      return OptionalDouble.of(Double.parseDouble(text.replace("_", "")));
    }
    if (FOR_EVER.matcher(text).matches()) {
      return OptionalDouble.of(Double.POSITIVE_INFINITY);
    }
    findings.add(
        "float_parsing",
        place,
        "Input should be a valid number, unable to parse string as a number",
        input);
    return OptionalDouble.empty();
  }

  /// As Python writes it in an error: a bound without a fraction has none.
  private Number bound() {
    if (least == Math.rint(least)) {
      return (int) least;
    }
    return least;
  }

  @Override
  public Map<String, Object> schema() {
    var schema = new LinkedHashMap<String, Object>(Schema.number());
    schema.put("minimum", bound());
    return schema;
  }
}
