package husk.api;

import husk.core.Core;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/// `/sessions/{name}`: the living kernel of a name, made if there is none.
final class SessionsEndpoint implements Endpoint {
  private final Core core;

  SessionsEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.post("/sessions/{name}", this::getOrCreate);
  }

  private void getOrCreate(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, Bodies.KernelBody.class);
    var name = Answers.name(request);
    Answers.json(
        request, response, KernelView.of(core.getOrCreate(name, body.options(), body.caller())));
  }
}
