package husk.wire;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import husk.model.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// How Husk reads and writes JSON: records in snake case and in the order they are declared,
/// unknown properties ignored, an empty Optional as null.
///
/// A record is never made with a null in it: an absent list, map, Optional, number or boolean is
/// empty, zero or false, and anything else that is absent is refused by name.
public final class Json {
  private static final int DEEPEST = 1000;
  private static final int LONGEST_STRING = 512 * 1024 * 1024;
  private static final TypeReference<LinkedHashMap<String, Object>> PLAIN_MAP =
      new TypeReference<>() {};

  /// Shared and immutable.
  public static final JsonMapper MAPPER =
      JsonMapper.builder(factory())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .withConfigOverride(List.class, it -> it.setNullHandling(emptyForNull()))
          .withConfigOverride(Map.class, it -> it.setNullHandling(emptyForNull()))
          .addModule(new HuskTypes())
          .build();

  private Json() {}

  private static JsonSetter.Value emptyForNull() {
    return JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY);
  }

  private static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxStringLength(LONGEST_STRING)
                .maxNestingDepth(DEEPEST)
                .build())
        .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
        .build();
  }

  /// UTF-8, on one line. Half of a surrogate pair, which UTF-8 cannot express, is escaped.
  public static byte[] bytes(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /// On one line.
  public static String text(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  /// As Python's `json.dumps(value, indent=2, sort_keys=True)` prints it.
  public static String pretty(Object value) {
    return new PythonPrinter(true).print(MAPPER.valueToTree(value));
  }

  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return present(MAPPER.readValue(json, type));
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  public static <T> T read(String json, Class<T> type) {
    try {
      return present(MAPPER.readValue(json, type));
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  public static JsonNode tree(byte[] json) {
    try {
      var node = MAPPER.readTree(json);
      if (node.isMissingNode()) {
        throw new Problem(Problem.Code.INVALID_REQUEST, "there is no JSON to read: it is empty");
      }
      return node;
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  /// An object as plain maps, lists, strings, numbers, booleans and nulls, in its own order.
  public static Map<String, Object> map(JsonNode object) {
    if (!object.isObject()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "expected a JSON object, not " + object.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    return MAPPER.convertValue(object, PLAIN_MAP);
  }

  private static <T> T present(T value) {
    if (value == null) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "expected a JSON value, not null");
    }
    return value;
  }

  private static Problem unreadable(JacksonException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof Problem problem) {
        return problem;
      }
    }
    return new Problem(
            Problem.Code.INVALID_REQUEST,
            "the JSON cannot be read" + where(e) + ": " + firstLine(e))
        .causedBy(e);
  }

  private static String firstLine(JacksonException e) {
    var message = e.getOriginalMessage();
    return message == null ? "it is malformed" : message.lines().findFirst().orElse("");
  }

  private static String where(JacksonException e) {
    var path = new StringBuilder();
    for (var step : e.getPath()) {
      if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    if (!path.isEmpty()) {
      return " at `" + path + "`";
    }
    var location = e.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
