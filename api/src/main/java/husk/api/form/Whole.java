package husk.api.form;

import husk.wire.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A whole number, `least` or more. One too large for Java is taken as the largest.
public record Whole(int least) implements Type {
  private static final Pattern FIGURES = Pattern.compile("([+-]?\\d+(?:_\\d+)*)(?:\\.0*)?");
  private static final BigInteger LARGEST = BigInteger.valueOf(Integer.MAX_VALUE);

  @Override
  public JsonNode check(JsonNode input, Place place, Findings findings) {
    var value = value(input, place, findings);
    if (value.isEmpty()) {
      return input;
    }
    if (value.get().compareTo(BigInteger.valueOf(least)) < 0) {
      findings.add(
          "greater_than_equal",
          place,
          "Input should be greater than or equal to " + least,
          input,
          Map.of("ge", least));
    }
    return Json.MAPPER.valueToTree(value.get().min(LARGEST));
  }

  private static Optional<BigInteger> value(JsonNode input, Place place, Findings findings) {
    if (input.isBoolean()) {
      return Optional.of(input.booleanValue() ? BigInteger.ONE : BigInteger.ZERO);
    }
    if (input.isIntegralNumber()) {
      return Optional.of(input.bigIntegerValue());
    }
    if (input.isNumber()) {
      return withoutFraction(input, place, findings);
    }
    if (input.isString()) {
      return figures(input, place, findings);
    }
    findings.add("int_type", place, "Input should be a valid integer", input);
    return Optional.empty();
  }

  private static Optional<BigInteger> withoutFraction(
      JsonNode input, Place place, Findings findings) {
    double number = input.doubleValue();
    if (number == Math.rint(number) && !Double.isInfinite(number)) {
      return Optional.of(new BigDecimal(number).toBigInteger());
    }
    findings.add(
        "int_from_float",
        place,
        "Input should be a valid integer, got a number with a fractional part",
        input);
    return Optional.empty();
  }

  private static Optional<BigInteger> figures(JsonNode input, Place place, Findings findings) {
    var text = FIGURES.matcher(input.stringValue().strip());
    // Pydantic reads no more figures than these either; reading a million takes minutes.
    if (text.matches() && text.group(1).length() <= 4300) {
      return Optional.of(new BigInteger(text.group(1).replace("_", "").replace("+", "")));
    }
    findings.add(
        "int_parsing",
        place,
        "Input should be a valid integer, unable to parse string as an integer",
        input);
    return Optional.empty();
  }

  @Override
  public Map<String, Object> schema() {
    var schema = new LinkedHashMap<String, Object>(Schema.integer());
    schema.put("minimum", least);
    return schema;
  }
}
