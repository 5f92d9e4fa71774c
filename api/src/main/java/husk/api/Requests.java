package husk.api;

import husk.api.accept.WholeBody;
import husk.api.form.Field;
import husk.api.form.Findings;
import husk.api.form.Form;
import husk.api.form.JsonBody;
import husk.api.form.Place;
import husk.api.form.Values;
import husk.wire.Json;
import io.helidon.http.BadRequestException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Reads what a request brings, by the form that describes it. What is wrong with it is reported as
/// FastAPI would.
public final class Requests {
  /// Of a body that is read whole. Files, and what commands read, are passed on as they come.
  private static final int LARGEST_BODY = 8 << 20;

  private Requests() {}

  /// The body; there must be one.
  public static <T> T body(ServerRequest request, Form<T> form) {
    return read(form, sent(request).orElseThrow(JsonBody::missing));
  }

  /// The body, by a form that depends on what was sent.
  public static <T> T body(ServerRequest request, Function<JsonNode, Form<T>> form) {
    var sent = sent(request).orElseThrow(JsonBody::missing);
    return read(form.apply(sent), sent);
  }

  private static <T> T read(Form<T> form, JsonNode sent) {
    var body = form.read(sent);
    WholeBody.understood();
    return body;
  }

  /// The body, or what the form makes of none.
  public static <T> T bodyIfAny(ServerRequest request, Form<T> form) {
    return read(form, sent(request).orElseGet(Json.MAPPER::createObjectNode));
  }

  /// JSON `null` is no body either.
  private static Optional<JsonNode> sent(ServerRequest request) {
    var bytes = bytes(request);
    if (bytes.length == 0) {
      return Optional.empty();
    }
    return Optional.of(isJson(request) ? json(bytes) : text(bytes)).filter(node -> !node.isNull());
  }

  /// The body as it came, within limits.
  static byte[] bytes(ServerRequest request) {
    var bytes = WholeBody.read(request, LARGEST_BODY);
    if (isJson(request)) {
      Values.requireFew(bytes);
    }
    return bytes;
  }

  /// Nothing else is read: a web page elsewhere can send other types without being asked for.
  private static boolean isJson(ServerRequest request) {
    var type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
    var essence = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return essence.equals("application/json")
        || (essence.startsWith("application/") && essence.endsWith("+json"));
  }

  private static JsonNode json(byte[] bytes) {
    return JsonBody.parse(bytes).orElseThrow(() -> new BadRequestException(JsonBody.UNREADABLE));
  }

  private static JsonNode text(byte[] bytes) {
    return Json.MAPPER.valueToTree(new String(bytes, StandardCharsets.UTF_8));
  }

  /// A parameter of the query, as it is used from here on; empty when it is not there.
  public static Optional<JsonNode> query(ServerRequest request, Field parameter) {
    var values = request.query().all(parameter.name(), List::of);
    var findings = new Findings();
    var place = Place.QUERY.at(parameter.name());
    if (values.isEmpty()) {
      if (parameter.required()) {
        findings.missing(place);
      }
      findings.refuse();
      return Optional.empty();
    }
    var value = parameter.type().check(Json.MAPPER.valueToTree(values.getLast()), place, findings);
    findings.refuse();
    return Optional.of(value);
  }

  public static boolean flag(ServerRequest request, Field parameter) {
    return query(request, parameter).map(JsonNode::booleanValue).orElse(false);
  }
}
