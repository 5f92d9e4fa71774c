package husk.api.jupyter;

import husk.api.accept.WholeBody;
import husk.api.form.Values;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.webserver.http.ServerRequest;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The body of a request, read with care: clients send nulls where they mean nothing.
record JupyterBody(JsonNode fields) {
  private static final int LARGEST = 4 << 20;

  static JupyterBody of(ServerRequest request) {
    var bytes = WholeBody.read(request, LARGEST);
    Values.requireFew(bytes);
    var body = of(bytes.length == 0 ? Json.MAPPER.createObjectNode() : Json.tree(bytes));
    WholeBody.understood();
    return body;
  }

  private static JupyterBody of(JsonNode node) {
    if (node.isNull()) {
      return new JupyterBody(Json.MAPPER.createObjectNode());
    }
    if (!node.isObject()) {
      throw wrong("the body", "an object");
    }
    return new JupyterBody(node);
  }

  boolean has(String name) {
    return fields.hasNonNull(name);
  }

  Optional<String> text(String name) {
    var value = fields.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isString()) {
      throw wrong("`" + name + "`", "a string");
    }
    if (value.stringValue().indexOf('\0') >= 0) {
      throw wrong("`" + name + "`", "without NUL characters");
    }
    return Optional.of(value.stringValue());
  }

  /// An object in it; an empty one when it is missing.
  JupyterBody object(String name) {
    var value = fields.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return new JupyterBody(Json.MAPPER.createObjectNode());
    }
    if (!value.isObject()) {
      throw wrong("`" + name + "`", "an object");
    }
    return new JupyterBody(value);
  }

  /// All fields as texts; those that are null are left out.
  Map<String, String> texts(String what) {
    var texts = new TreeMap<String, String>();
    for (var field : fields.properties()) {
      if (field.getValue().isContainer()) {
        throw wrong("`" + what + "." + field.getKey() + "`", "a string");
      }
      if (!field.getValue().isNull()) {
        texts.put(field.getKey(), field.getValue().asString());
      }
    }
    return texts;
  }

  private static Problem wrong(String what, String expected) {
    return new Problem(Problem.Code.INVALID_REQUEST, what + " has to be " + expected);
  }
}
