package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.KernelRecord;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;

/// `/kernels`: making, listing, looking at, interrupting, restarting and destroying kernels.
public final class KernelsEndpoint implements Endpoint {
  private final Service core;
  private final KernelViews views;

  public KernelsEndpoint(Service core) {
    this.core = core;
    this.views = new KernelViews(core);
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/kernels", this::list)
        .post("/kernels", this::create)
        .delete("/kernels", this::wipe)
        .get("/kernels/{id}", this::status)
        .delete("/kernels/{id}", this::destroy)
        .post("/kernels/{id}/restart", this::restart)
        .post("/kernels/{id}/interrupt", this::interrupt)
        .get("/kernels/{id}/log", this::log);
  }

  private void list(ServerRequest request, ServerResponse response) {
    var records = core.list();
    if (Answers.accept(request).contains("names=1")) {
      Answers.text(response, names(records));
    } else if (Answers.accept(request).contains("tree=1")) {
      Answers.text(response, views.tree(records));
    } else {
      views.list(request, response, "kernels", records);
    }
  }

  private static String names(List<KernelRecord> records) {
    var lines = records.stream().flatMap(record -> record.name().stream()).map(name -> name + "\n");
    return String.join("", lines.toList());
  }

  private void create(ServerRequest request, ServerResponse response) {
    var body = Requests.body(request, Forms.KERNEL);
    var record = core.create(body.name(), body.options(), Bodies.caller(request, body.client()));
    response.status(Status.CREATED_201);
    Answers.json(request, response, views.of(record));
  }

  private void wipe(ServerRequest request, ServerResponse response) {
    Answers.json(request, response, Map.of("destroyed", core.destroyAll()));
  }

  private void status(ServerRequest request, ServerResponse response) {
    views.status(request, response, core.require(Answers.name(request)));
  }

  private void destroy(ServerRequest request, ServerResponse response) {
    var identifier = Answers.name(request);
    core.require(identifier);
    Answers.json(request, response, Map.of("destroyed", core.destroy(identifier)));
  }

  private void restart(ServerRequest request, ServerResponse response) {
    Answers.json(request, response, views.of(core.restart(Answers.name(request))));
  }

  private void interrupt(ServerRequest request, ServerResponse response) {
    core.interrupt(Answers.name(request));
    Answers.json(request, response, Map.of("interrupted", true));
  }

  private void log(ServerRequest request, ServerResponse response) {
    Answers.text(response, core.log(Answers.name(request)));
  }
}
