package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.KernelRecord;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Map;

/// `/sessions`: kernels by the names that agents give them, made when they are first asked for.
public final class SessionsEndpoint implements Endpoint {
  private final Service core;
  private final KernelViews views;
  private final Addressed addressed;

  public SessionsEndpoint(Service core) {
    this.core = core;
    this.views = new KernelViews(core);
    this.addressed = new Addressed(core);
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/sessions", this::list)
        .post("/sessions/{name}", this::getOrCreate)
        .get("/sessions/{name}", this::status)
        .delete("/sessions/{name}", this::destroy)
        .post("/sessions/{name}/restart", this::restart)
        .post("/sessions/{name}/interrupt", this::interrupt);
  }

  /// Kernels that have a name to come back by.
  private void list(ServerRequest request, ServerResponse response) {
    var named = core.list().stream().filter(record -> record.sessionName().isPresent()).toList();
    views.list(request, response, "sessions", named);
  }

  private void getOrCreate(ServerRequest request, ServerResponse response) {
    var body = Requests.bodyIfAny(request, Forms.SESSION);
    var name = Answers.name(request);
    Answers.json(
        request,
        response,
        views.of(core.getOrCreate(name, body.options(), Bodies.caller(request, body.client()))));
  }

  private void status(ServerRequest request, ServerResponse response) {
    views.status(request, response, session(request));
  }

  private void destroy(ServerRequest request, ServerResponse response) {
    var session = session(request);
    Answers.json(request, response, Map.of("destroyed", core.destroy(session.kernelId())));
  }

  private void restart(ServerRequest request, ServerResponse response) {
    var session = session(request);
    Answers.json(request, response, views.of(core.restart(session.kernelId())));
  }

  private void interrupt(ServerRequest request, ServerResponse response) {
    core.interrupt(session(request).kernelId());
    Answers.json(request, response, Map.of("interrupted", true));
  }

  private KernelRecord session(ServerRequest request) {
    return addressed.kernel(request);
  }
}
