package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.Problem;
import husk.spi.CommandInfo;
import husk.spi.RunningCommand;
import husk.spi.Sandbox;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// `/sandboxes/{name}/exec/detached`: commands that go on by themselves, and what is kept of them.
public final class DetachedEndpoint implements Endpoint {
  private static final int ID = 4;

  private final Service core;
  private final CommandAnswer answer;

  DetachedEndpoint(Service core, Lines<RunningCommand> lines) {
    this.core = core;
    this.answer = new CommandAnswer(lines);
  }

  @Override
  public void register(Routes rules) {
    rules
        .post("/sandboxes/{name}/exec/detach", this::detach)
        .get("/sandboxes/{name}/exec/detached", this::list)
        .get("/sandboxes/{name}/exec/detached/{id}", this::info)
        .get("/sandboxes/{name}/exec/detached/{id}/logs", this::logs)
        .delete("/sandboxes/{name}/exec/detached/{id}", this::kill);
  }

  private void detach(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    var spec = Requests.body(request, CommandForms.DETACH).spec().detachedOnce();
    var id = Inside.ask(() -> begin(sandbox, spec));
    Answers.json(request, response, view(request, find(sandbox, id)));
  }

  private static String begin(Sandbox sandbox, husk.spi.CommandSpec spec) throws IOException {
    try (var command = sandbox.run(spec)) {
      return command.id();
    }
  }

  private void list(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    boolean all = Requests.flag(request, SandboxParameters.ALL);
    List<Map<String, Object>> commands =
        Inside.ask(sandbox::commands).stream()
            .filter(command -> all || command.detached())
            .map(command -> view(request, command))
            .toList();
    Answers.json(request, response, Map.of("commands", commands));
  }

  private static Map<String, Object> view(ServerRequest request, CommandInfo info) {
    return CommandView.info(Answers.name(request), info);
  }

  private void info(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    Answers.json(request, response, view(request, find(sandbox, id(request))));
  }

  private static String id(ServerRequest request) {
    return Routes.segment(request.path(), ID);
  }

  private static CommandInfo find(Sandbox sandbox, String id) {
    return Inside.ask(sandbox::commands).stream()
        .filter(command -> command.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.NOT_FOUND_INSIDE,
                    "there is no command `" + id + "`",
                    "the sandbox remembers those that run and 64 that have ended"));
  }

  private void logs(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    var stream = Requests.query(request, SandboxParameters.STREAM).map(JsonNode::stringValue);
    var id = find(sandbox, id(request)).id();
    boolean streamed = CommandAnswer.streamed(request);
    boolean follow = streamed && follows(request);
    try (var command = Inside.ask(() -> sandbox.attach(id, stream, !follow))) {
      if (streamed) {
        answer.stream(request, response, Answers.name(request), command);
      } else {
        answer.whole(request, response, command, Finished::texts);
      }
    }
  }

  private static boolean follows(ServerRequest request) {
    return Requests.query(request, SandboxParameters.FOLLOW)
        .map(JsonNode::booleanValue)
        .orElse(true);
  }

  private void kill(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    var word = Requests.query(request, SandboxParameters.SIGNAL).map(JsonNode::stringValue);
    int signal = Signals.number(word.orElse("TERM"));
    var id = find(sandbox, id(request)).id();
    Inside.ask(
        () -> {
          sandbox.kill(id, signal);
          return id;
        });
    Answers.json(request, response, Map.of("signal", signal));
  }
}
