package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.BestOf;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;

/// `…/fork`, `…/promote` and `…/best-of`: running copies of a kernel, and one of them in its place.
public final class ForksEndpoint implements Endpoint {
  private final Service core;
  private final KernelViews views;
  private final Addressed addressed;

  public ForksEndpoint(Service core) {
    this.core = core;
    this.views = new KernelViews(core);
    this.addressed = new Addressed(core);
  }

  @Override
  public void register(Routes rules) {
    for (var kernel : List.of("/kernels/{id}", "/sessions/{name}")) {
      rules
          .post(kernel + "/fork", this::fork)
          .post(kernel + "/promote", this::promote)
          .post(kernel + "/best-of", this::bestOf);
    }
  }

  private void fork(ServerRequest request, ServerResponse response) {
    var original = addressed.kernel(request);
    var body = Requests.bodyIfAny(request, LiveForms.FORK);
    var wanted = body.request();
    var caller = Bodies.caller(request, body.client());
    var forked = core.fork(original.kernelId(), wanted.names(), wanted.proceed(), caller);
    var answer = new LinkedHashMap<String, Object>();
    answer.put("kernels", forked.kernels().stream().map(views::of).toList());
    answer.put("hazards", forked.hazards());
    response.status(Status.CREATED_201);
    Answers.json(request, response, answer);
  }

  private void promote(ServerRequest request, ServerResponse response) {
    var original = addressed.kernel(request);
    var body = Requests.body(request, LiveForms.PROMOTE);
    var promoted = core.promote(original.kernelId(), body.fork());
    Answers.json(request, response, views.of(promoted));
  }

  private void bestOf(ServerRequest request, ServerResponse response) {
    var original = addressed.kernel(request);
    var body = Requests.body(request, LiveForms.BEST_OF);
    var caller = Bodies.caller(request, body.client());
    var best = core.bestOf(original.kernelId(), body.request(), caller);
    response.header(Answers.STATUS, status(best));
    Answers.json(request, response, best);
  }

  /// None that succeeded is a failure, though every try was answered.
  private static String status(BestOf best) {
    return best.winner().isPresent() ? "success" : "error";
  }
}
