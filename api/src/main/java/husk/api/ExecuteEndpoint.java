package husk.api;

import husk.core.Core;
import husk.local.Frames;
import husk.model.ExecutionEvent;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/// `/kernels/{id}/execute`: runs code, answering with the result, or with frames as it runs.
final class ExecuteEndpoint implements Endpoint {
  private final Core core;

  ExecuteEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.post("/kernels/{id}/execute", this::execute);
  }

  private void execute(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, Bodies.ExecuteBody.class);
    var identifier = Answers.name(request);
    if (Answers.accept(request).startsWith(Frames.MEDIA_TYPE)) {
      stream(request, response, identifier, body);
      return;
    }
    var result =
        core.execute(
            identifier,
            body.request(),
            body.creation(),
            body.caller(),
            ExecutionEvent.Listener.NONE);
    response.header(Answers.STATUS, result.status().wireName());
    Answers.json(request, response, result);
  }

  private void stream(
      ServerRequest request, ServerResponse response, String identifier, Bodies.ExecuteBody body) {
    var execution = body.request();
    var creation = body.creation();
    response.header(HeaderNames.CONTENT_TYPE, Frames.MEDIA_TYPE);
    try (var frames =
        new FrameSender(
            response.outputStream(),
            Answers.flag(request, "plain"),
            Answers.flag(request, "pretty"))) {
      try {
        core.execute(identifier, execution, creation, body.caller(), frames);
      } catch (Problem problem) {
        frames.problem(problem);
      }
    }
  }
}
