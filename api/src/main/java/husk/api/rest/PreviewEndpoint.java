package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.KernelRecord;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/// `…/preview/keep` and `…/preview/discard`: what becomes of what a preview did.
public final class PreviewEndpoint implements Endpoint {
  private final Service core;
  private final KernelViews views;
  private final Addressed addressed;

  public PreviewEndpoint(Service core) {
    this.core = core;
    this.views = new KernelViews(core);
    this.addressed = new Addressed(core);
  }

  @Override
  public void register(Routes rules) {
    for (var kernel : List.of("/kernels/{id}", "/sessions/{name}")) {
      rules
          .post(
              kernel + "/preview/keep",
              (request, response) -> decide(request, response, "kept", core::keepPreview))
          .post(
              kernel + "/preview/discard",
              (request, response) -> decide(request, response, "discarded", core::discardPreview));
    }
  }

  private void decide(
      ServerRequest request,
      ServerResponse response,
      String decision,
      Function<String, KernelRecord> deciding) {
    var kernel = addressed.kernel(request);
    Requests.bodyIfAny(request, LiveForms.DECISION);
    var answer = new LinkedHashMap<String, Object>();
    var decided = deciding.apply(kernel.kernelId());
    answer.put("decision", decision);
    answer.put("kernel", views.of(decided));
    Answers.json(request, response, answer);
  }
}
