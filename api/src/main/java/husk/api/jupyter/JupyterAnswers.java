package husk.api.jupyter;

import husk.api.Answers;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;

/// How Jupyter's dialect answers: its status codes, and errors in its shape beside Husk's own.
final class JupyterAnswers {
  private JupyterAnswers() {}

  /// A handler whose problems are told in this dialect.
  static Handler telling(Handler handler) {
    return (request, response) -> {
      try {
        handler.handle(request, response);
      } catch (Problem problem) {
        problem(response, problem);
      }
    };
  }

  /// As Husk's own, but what cannot be understood is a bad request here.
  static int status(Problem.Code code) {
    int status = Answers.status(code);
    return status == 422 ? 400 : status;
  }

  private static void problem(ServerResponse response, Problem problem) {
    var status = Status.create(status(problem.code()));
    var body = new LinkedHashMap<String, Object>();
    body.put("message", problem.text());
    body.put("reason", status.reasonPhrase());
    body.putAll(Answers.describe(problem));
    response.status(status);
    response.header(HeaderNames.create("Husk-Problem"), problem.code().wireName());
    json(response, body);
  }

  static void json(ServerResponse response, Object value) {
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    response.send(Json.text(value).getBytes(StandardCharsets.UTF_8));
  }

  static void created(ServerResponse response, String location, Object value) {
    response.status(Status.CREATED_201);
    response.header(HeaderNames.LOCATION, location);
    json(response, value);
  }

  static void nothing(ServerResponse response) {
    response.status(Status.NO_CONTENT_204);
    response.send();
  }
}
