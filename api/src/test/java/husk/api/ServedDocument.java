package husk.api;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import husk.wire.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The OpenAPI document that a server serves, as a judge of its answers.
final class ServedDocument {
  private final JsonNode document;
  private final ObjectNode strictComponents;

  ServedDocument(JsonNode document) {
    this.document = document;
    this.strictComponents = (ObjectNode) document.path("components").deepCopy();
    // A property that no schema speaks of is a fault of the document.
    strictComponents.path("schemas").forEach(ServedDocument::close);
  }

  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.has("properties")
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    schema.forEach(ServedDocument::close);
  }

  /// One operation: its method, path and description.
  record Described(String method, String path, JsonNode operation) {
    String id() {
      return operation.path("operationId").stringValue();
    }
  }

  List<Described> operations() {
    return document.path("paths").properties().stream()
        .flatMap(
            path ->
                path.getValue().properties().stream()
                    .map(it -> new Described(it.getKey(), path.getKey(), it.getValue())))
        .toList();
  }

  Described operation(String id) {
    return operations().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
  }

  Set<String> statuses(Described described) {
    return new TreeSet<>(described.operation().path("responses").propertyNames());
  }

  /// What is wrong with an answer to an operation; nothing if the document foresees it.
  List<String> faults(Described described, ApiServer.Reply reply) {
    var response = resolved(described.operation().path("responses").path("" + reply.status()));
    if (response.isMissingNode()) {
      return List.of("status " + reply.status() + " is not described: " + reply.body());
    }
    var content = response.path("content");
    if (content.isMissingNode()) {
      return reply.body().isEmpty() ? List.of() : List.of("a body is not described");
    }
    var type = reply.header("content-type").split(";", 2)[0];
    return content.has(type)
        ? bodyFaults(content.path(type).path("schema"), type, reply)
        : List.of("type `" + type + "` is not described");
  }

  private List<String> bodyFaults(JsonNode schema, String type, ApiServer.Reply reply) {
    if (!type.equals("application/json")) {
      return List.of();
    }
    return validate(schema, reply.json());
  }

  /// What is wrong with `value` by a schema of the document.
  List<String> validate(JsonNode schema, JsonNode value) {
    var root = Json.MAPPER.createObjectNode();
    root.setAll((ObjectNode) schema.deepCopy());
    close(root);
    root.set("components", strictComponents);
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(root)
        .validate(value)
        .stream()
        .map(Object::toString)
        .toList();
  }

  private JsonNode resolved(JsonNode node) {
    return Optional.ofNullable(node.get("$ref"))
        .map(ref -> document.at(ref.stringValue().substring(1)))
        .orElse(node);
  }

  JsonNode json() {
    return document;
  }
}
