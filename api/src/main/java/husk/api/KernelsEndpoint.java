package husk.api;

import husk.core.Core;
import husk.model.KernelRecord;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `/kernels`: making, listing, looking at, interrupting, restarting and destroying kernels.
final class KernelsEndpoint implements Endpoint {
  private static final List<String> HEADER =
      List.of("NAME", "STATUS", "PID", "KERNEL", "MEMORY", "AGE", "ID");

  private final Core core;

  KernelsEndpoint(Core core) {
    this.core = core;
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
      Answers.text(
          response,
          String.join(
              "", records.stream().flatMap(r -> r.name().stream()).map(n -> n + "\n").toList()));
      return;
    }
    var views = records.stream().map(KernelView::of).toList();
    var answer =
        Answers.flag(request, "refresh")
            ? records.stream().map(this::withHeartbeat).toList()
            : (List<?>) views;
    Answers.either(
        request,
        response,
        Map.of("kernels", answer),
        Texts.table(HEADER, views.stream().map(KernelView::row).toList()));
  }

  /// The view, and whether the kernel reacts to its heartbeat.
  private Map<String, Object> withHeartbeat(KernelRecord record) {
    var view = husk.wire.Json.map(husk.wire.Json.MAPPER.valueToTree(KernelView.of(record)));
    view.put("responsive", core.responds(record));
    return view;
  }

  private void create(ServerRequest request, ServerResponse response) {
    var body = Answers.body(request, Bodies.KernelBody.class);
    var record = core.create(body.name(), body.options(), body.caller());
    response.status(Status.CREATED_201);
    Answers.json(request, response, KernelView.of(record));
  }

  private void wipe(ServerRequest request, ServerResponse response) {
    Answers.json(request, response, Map.of("destroyed", core.destroyAll()));
  }

  private void status(ServerRequest request, ServerResponse response) {
    var record = core.require(Answers.name(request));
    boolean alive = record.status().alive();
    response.header(Answers.ALIVE, Boolean.toString(alive));
    if (Answers.accept(request).contains("field=connection_file")) {
      Answers.text(response, record.connectionFile() + "\n");
      return;
    }
    var answer = new LinkedHashMap<String, Object>();
    answer.put("alive", alive);
    answer.put("responsive", core.responds(record));
    answer.put("kernel", KernelView.of(record));
    Answers.either(
        request, response, answer, Texts.table(HEADER, List.of(KernelView.of(record).row())));
  }

  private void destroy(ServerRequest request, ServerResponse response) {
    var identifier = Answers.name(request);
    core.require(identifier);
    Answers.json(request, response, Map.of("destroyed", core.destroy(identifier)));
  }

  private void restart(ServerRequest request, ServerResponse response) {
    Answers.json(request, response, KernelView.of(core.restart(Answers.name(request))));
  }

  private void interrupt(ServerRequest request, ServerResponse response) {
    core.interrupt(Answers.name(request));
    Answers.json(request, response, Map.of("interrupted", true));
  }

  private void log(ServerRequest request, ServerResponse response) {
    Answers.text(response, core.log(Answers.name(request)));
  }
}
