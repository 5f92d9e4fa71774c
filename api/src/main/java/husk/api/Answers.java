package husk.api;

import husk.api.accept.WholeBody;
import husk.api.form.InvalidRequest;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/// How requests are read and answered.
public final class Answers {
  public static final HeaderName PROBLEM = HeaderNames.create("Husk-Problem");
  public static final HeaderName STATUS = HeaderNames.create("Husk-Status");
  public static final HeaderName ALIVE = HeaderNames.create("Husk-Alive");

  private static final Logger LOG = Logger.getLogger("husk.api");

  private Answers() {}

  /// The body of a request that only Husk's own clients make; none is an empty one.
  public static <T> T body(ServerRequest request, Class<T> type) {
    var bytes = Requests.bytes(request);
    var body = Json.read(bytes.length == 0 ? new byte[] {'{', '}'} : bytes, type);
    WholeBody.understood();
    return body;
  }

  /// The name or id in a path: its second segment.
  public static String name(ServerRequest request) {
    return Routes.segment(request.path(), 1);
  }

  public static boolean flag(ServerRequest request, String name) {
    var query = request.query();
    return query.contains(name) && !query.get(name).equals("0") && !query.get(name).equals("false");
  }

  /// Whether the caller wants text for people, perhaps of a certain kind: `text/plain;field=name`.
  public static boolean wantsText(ServerRequest request) {
    return accept(request).startsWith("text/plain");
  }

  public static String accept(ServerRequest request) {
    return request.headers().first(HeaderNames.ACCEPT).orElse("");
  }

  /// JSON on one line, or laid out with `?pretty=1`.
  public static void json(ServerRequest request, ServerResponse response, Object value) {
    var text = flag(request, "pretty") ? Json.pretty(value) + "\n" : Json.text(value);
    send(response, "application/json", text);
  }

  public static void text(ServerResponse response, String text) {
    send(response, "text/plain; charset=utf-8", text);
  }

  /// JSON, or a table for people.
  public static void either(
      ServerRequest request, ServerResponse response, Object value, String forPeople) {
    if (request.prologue().method().equals(Method.HEAD)) {
      // No route takes it, and whatever the refusal says, its body would be read as the next
      // answer.
      response.send();
    } else if (wantsText(request)) {
      text(response, forPeople);
    } else {
      json(request, response, value);
    }
  }

  private static void send(ServerResponse response, String type, String text) {
    response.header(HeaderNames.CONTENT_TYPE, type);
    response.send(text.getBytes(StandardCharsets.UTF_8));
  }

  public static void registerErrors(HttpRouting.Builder routing) {
    routing.error(Problem.class, (request, response, e) -> problem(request, response, e));
    routing.error(InvalidRequest.class, (request, response, e) -> invalid(request, response, e));
    routing.error(
        HttpException.class,
        (request, response, e) -> {
          response.status(e.status());
          either(
              request,
              response,
              Map.of("detail", String.valueOf(e.getMessage())),
              "error: " + e.getMessage() + "\n");
        });
    routing.error(
        Exception.class,
        (request, response, e) -> {
          LOG.log(Level.SEVERE, "unexpected failure of " + request.path().path(), e);
          problem(
              request,
              response,
              new Problem(
                  Problem.Code.INTERNAL,
                  "unexpected failure: " + e,
                  "`husk daemon logs` has the details"));
        });
  }

  /// Answers with a problem.
  public static void problem(ServerRequest request, ServerResponse response, Problem problem) {
    response.status(Status.create(status(problem.code())));
    response.header(PROBLEM, problem.code().wireName());
    switch (problem.code()) {
      case UNAUTHENTICATED -> response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
      case OVERLOADED -> response.header(HeaderNames.RETRY_AFTER, "1");
      case CAPACITY_EXHAUSTED -> response.header(HeaderNames.RETRY_AFTER, "5");
      default -> {}
    }
    either(request, response, describe(problem), Texts.problem(problem));
  }

  /// Answers with all that is wrong with a request, as FastAPI would.
  public static void invalid(
      ServerRequest request, ServerResponse response, InvalidRequest invalid) {
    var problem = invalid.problem();
    response.status(Status.create(status(problem.code())));
    response.header(PROBLEM, problem.code().wireName());
    either(request, response, invalid.json(error(problem)), Texts.problem(problem));
  }

  /// A problem as JSON-speaking callers see it.
  public static Map<String, Object> describe(Problem problem) {
    return Map.of("error", error(problem), "detail", problem.text());
  }

  private static Map<String, Object> error(Problem problem) {
    var error = new LinkedHashMap<String, Object>();
    error.put("code", problem.code().wireName());
    error.put("message", problem.text());
    error.put("remedies", problem.remedies());
    if (!problem.hazards().isEmpty()) {
      error.put("details", Map.of("hazards", problem.hazards()));
    }
    return error;
  }

  /// The HTTP status that goes with a problem.
  public static int status(Problem.Code code) {
    return switch (code) {
      case USAGE,
          INVALID_REQUEST,
          INVALID_NAME,
          INVALID_SETTING,
          LANGUAGE_UNSUPPORTED,
          NOT_EXECUTABLE ->
          422;
      case UNAUTHENTICATED -> 401;
      case FORBIDDEN, NOT_OPEN_OVER_TCP, PROJECT_NOT_TRUSTED -> 403;
      case KERNEL_NOT_FOUND,
          KERNELSPEC_NOT_FOUND,
          EXECUTION_NOT_FOUND,
          ENVIRONMENT_NOT_FOUND,
          SESSION_NOT_FOUND,
          LISTENER_NOT_FOUND,
          SANDBOX_NOT_FOUND,
          CHECKPOINT_NOT_FOUND,
          NOT_FOUND_INSIDE ->
          404;
      case TOO_LARGE -> 413;
      case TOO_SLOW -> 408;
      case KERNEL_ALREADY_EXISTS,
          SANDBOX_ALREADY_EXISTS,
          SANDBOX_NOT_RUNNING,
          COPY_REFUSED,
          PREVIEW_OPEN ->
          409;
      case CAPABILITY_MISSING -> 501;
      case CAPACITY_EXHAUSTED -> 429;
      case PROCESS_LIMIT, DISK_LIMIT -> 507;
      case KERNEL_START_FAILED,
          KERNEL_UNRESPONSIVE,
          ENVIRONMENT_BROKEN,
          DAEMON_UNAVAILABLE,
          TOOL_MISSING,
          OVERLOADED,
          ADDRESS_UNAVAILABLE,
          SANDBOX_FAILED,
          COPY_FAILED,
          ISOLATION_UNAVAILABLE ->
          503;
      case STORE_FAILED, INTERNAL -> 500;
    };
  }
}
