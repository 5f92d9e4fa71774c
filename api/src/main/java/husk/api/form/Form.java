package husk.api.form;

import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A body, field by field. Fields it does not know are ignored, as FastAPI ignores them, unless it
/// is strict.
///
/// @param name of its schema
/// @param type the record it is read into, whose components are called like the fields
/// @param strict whether fields it does not know are refused
public record Form<T>(String name, Class<T> type, List<Field> fields, boolean strict) {
  /// Husk's own clients tell in every request who asks.
  private static final String CLIENT = "client";

  public Form {
    fields = List.copyOf(fields);
  }

  public Form(String name, Class<T> type, List<Field> fields) {
    this(name, type, fields, false);
  }

  /// The same for what must not be misspelled: a limit that nobody understood would be no limit.
  public Form<T> knowingAll() {
    return new Form<>(name, type, fields, true);
  }

  /// Reads what was sent, or throws an [InvalidRequest] with all that is wrong with it.
  public T read(JsonNode body) {
    var findings = new Findings();
    var checked = check(body, Place.BODY, findings);
    findings.refuse();
    return Json.MAPPER.treeToValue(checked, type);
  }

  JsonNode check(JsonNode input, Place place, Findings findings) {
    if (input instanceof ObjectNode object) {
      return checkFields(object, place, findings);
    }
    findings.add(
        "model_attributes_type",
        place,
        "Input should be a valid dictionary or object to extract fields from",
        input);
    return input;
  }

  private ObjectNode checkFields(ObjectNode object, Place place, Findings findings) {
    var checked = Json.MAPPER.createObjectNode();
    for (var field : fields) {
      var input = object.get(field.name());
      if (input == null) {
        if (field.required()) {
          findings.add("missing", place.at(field.name()), "Field required", object);
        }
      } else if (!(input.isNull() && field.nullable())) {
        var value = field.type().check(input, place.at(field.name()), findings);
        checked.set(field.name(), value);
      }
    }
    if (strict) {
      refuseOthers(object, place, findings);
    }
    return checked;
  }

  private void refuseOthers(ObjectNode object, Place place, Findings findings) {
    var known = fields.stream().map(Field::name).toList();
    object.properties().stream()
        .filter(entry -> !known.contains(entry.getKey()) && !entry.getKey().equals(CLIENT))
        .forEach(
            entry ->
                findings.add(
                    "extra_forbidden",
                    place.at(entry.getKey()),
                    "Extra inputs are not permitted",
                    entry.getValue()));
  }

  public Map<String, Object> schema() {
    var properties = new LinkedHashMap<String, Object>();
    fields.forEach(field -> properties.put(field.name(), field.schema()));
    var schema = Schema.ordered("type", "object", "properties", properties);
    var required = fields.stream().filter(Field::required).map(Field::name).toList();
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    if (strict) {
      schema.put("additionalProperties", false);
    }
    return schema;
  }
}
