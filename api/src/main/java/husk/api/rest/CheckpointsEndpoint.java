package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.api.Texts;
import husk.core.Service;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `…/checkpoints` and `…/rollback`: states of a kernel that it can be taken back to.
public final class CheckpointsEndpoint implements Endpoint {
  private final Service core;
  private final KernelViews views;
  private final Addressed addressed;

  public CheckpointsEndpoint(Service core) {
    this.core = core;
    this.views = new KernelViews(core);
    this.addressed = new Addressed(core);
  }

  @Override
  public void register(Routes rules) {
    for (var kernel : List.of("/kernels/{id}", "/sessions/{name}")) {
      rules
          .post(kernel + "/checkpoints", this::take)
          .get(kernel + "/checkpoints", this::list)
          .delete(kernel + "/checkpoints/{checkpoint}", this::drop)
          .post(kernel + "/rollback", this::rollback);
    }
  }

  private void take(ServerRequest request, ServerResponse response) {
    var kernel = addressed.kernel(request);
    var body = Requests.bodyIfAny(request, LiveForms.CHECKPOINT);
    var caller = Bodies.caller(request, body.client());
    var taken = core.checkpoint(kernel.kernelId(), body.label(), body.proceed(), caller);
    var answer = new LinkedHashMap<String, Object>();
    answer.put("checkpoint", CheckpointView.of(taken.checkpoint()));
    answer.put("hazards", taken.hazards());
    answer.put("evicted", CheckpointView.of(taken.evicted()));
    response.status(Status.CREATED_201);
    Answers.json(request, response, answer);
  }

  private void list(ServerRequest request, ServerResponse response) {
    var all = CheckpointView.of(core.checkpoints(addressed.kernel(request).kernelId()));
    var rows = all.stream().map(CheckpointView::row).toList();
    Answers.either(
        request, response, Map.of("checkpoints", all), Texts.table(CheckpointView.HEADER, rows));
  }

  private void drop(ServerRequest request, ServerResponse response) {
    var kernel = addressed.kernel(request);
    core.dropCheckpoint(kernel.kernelId(), Routes.segment(request.path(), 3));
    Answers.json(request, response, Map.of("dropped", true));
  }

  private void rollback(ServerRequest request, ServerResponse response) {
    var kernel = addressed.kernel(request);
    var body = Requests.bodyIfAny(request, LiveForms.ROLLBACK);
    var reached = core.rollback(kernel.kernelId(), body.to());
    var answer = new LinkedHashMap<String, Object>();
    answer.put("checkpoint", CheckpointView.of(reached));
    answer.put("kernel", views.of(core.require(kernel.kernelId())));
    Answers.json(request, response, answer);
  }
}
