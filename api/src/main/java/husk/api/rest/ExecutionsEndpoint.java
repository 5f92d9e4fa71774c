package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.api.Texts;
import husk.api.sse.EventStreams;
import husk.core.Service;
import husk.model.ExecutionResult;
import husk.store.ExecutionRow;
import husk.wire.Json;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `/executions`: what ran, its results, and ending what runs.
public final class ExecutionsEndpoint implements Endpoint {
  private final Service core;
  private final EventStreams events;

  public ExecutionsEndpoint(Service core, EventStreams events) {
    this.core = core;
    this.events = events;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/executions", this::list)
        .get("/executions/{id}", this::result)
        .get("/executions/{id}/events", this::events)
        .delete("/executions/{id}", this::cancel);
  }

  /// One line of the list.
  record ExecutionView(
      String executionId,
      String kernelId,
      String status,
      Instant startedAt,
      Optional<Instant> endedAt,
      String code) {}

  private void list(ServerRequest request, ServerResponse response) {
    var kernel = Requests.query(request, Parameters.KERNEL).orElseThrow().stringValue();
    var views = core.executions(kernel).stream().map(ExecutionsEndpoint::view).toList();
    Answers.either(
        request,
        response,
        Map.of("executions", views),
        Texts.table(
            List.of("EXECUTION", "STATUS", "STARTED", "CODE"),
            views.stream().map(ExecutionsEndpoint::row).toList()));
  }

  private static ExecutionView view(ExecutionRow row) {
    var status =
        row.resultJson()
            .map(json -> Json.read(json, ExecutionResult.class).status().wireName())
            .orElse("running");
    return new ExecutionView(
        row.executionId(),
        row.kernelId(),
        status,
        row.startedAt(),
        row.endedAt(),
        Json.tree(row.requestJson().getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .path("code")
            .asString(""));
  }

  private static List<String> row(ExecutionView view) {
    var line = view.code().strip().lines().findFirst().orElse("");
    return List.of(
        view.executionId(),
        view.status(),
        view.startedAt().toString(),
        line.length() > 60 ? line.substring(0, 60) + "…" : line);
  }

  private void result(ServerRequest request, ServerResponse response) {
    var executionId = Answers.name(request);
    var result = core.result(executionId, Requests.flag(request, Parameters.WAIT));
    if (result.isEmpty()) {
      response.status(Status.ACCEPTED_202);
      Answers.json(request, response, Map.of("execution_id", executionId, "status", "running"));
      return;
    }
    response.header(Answers.STATUS, result.get().status().wireName());
    Answers.json(request, response, result.get());
  }

  private void events(ServerRequest request, ServerResponse response) {
    events.attach(request, response, Answers.name(request));
  }

  private void cancel(ServerRequest request, ServerResponse response) {
    boolean cancelled = core.cancel(Answers.name(request));
    Answers.json(request, response, Map.of("cancelled", cancelled));
  }
}
