package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Core;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/// `/sandboxes/{name}/used`: says that a sandbox is in use, and where its agent listens. Only who
/// is on this machine can talk to that.
public final class UsedEndpoint implements Endpoint {
  private final Core core;

  public UsedEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.post("/sandboxes/{name}/used", this::used);
  }

  private void used(ServerRequest request, ServerResponse response) {
    var name = Answers.name(request);
    core.sandboxes().use(name);
    var info = core.sandboxes().require(name);
    Answers.either(request, response, SandboxView.json(info), SandboxView.lines(info));
  }
}
