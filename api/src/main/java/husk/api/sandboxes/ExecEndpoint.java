package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Core;
import husk.model.Problem;
import husk.spi.CommandSpec;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// `/sandboxes/{name}/exec`: a command, and its whole output at once.
public final class ExecEndpoint implements Endpoint {
  private final Core core;

  public ExecEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.post("/sandboxes/{name}/exec", this::exec);
  }

  private void exec(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, SandboxBodies.ExecBody.class);
    if (body.command().isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST, "No command specified", "send a list as `command`");
    }
    var spec = CommandSpec.of(body.command()).withEnv(body.env()).within(body.timeoutMs());
    var placed = body.workdir().map(spec::in).orElse(spec);
    Answers.json(
        request,
        response,
        finished(
            request,
            body.stdin().isPresent() ? placed.withInput() : placed,
            body.stdin().stream().toList()));
  }

  private Finished finished(ServerRequest request, CommandSpec spec, List<String> input) {
    try (var command = core.sandboxes().use(Answers.name(request)).run(spec)) {
      for (var text : input) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        command.input(bytes, 0, bytes.length);
        command.endInput();
      }
      return Finished.await(command);
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.SANDBOX_FAILED, "the sandbox's agent does not answer: " + e.getMessage())
          .causedBy(e);
    }
  }
}
