package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.Service;
import husk.model.Against;
import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// `…/diff`: how a kernel differs from a checkpoint of its own, or from another kernel.
public final class DiffEndpoint implements Endpoint {
  private final Service core;
  private final Addressed addressed;

  public DiffEndpoint(Service core) {
    this.core = core;
    this.addressed = new Addressed(core);
  }

  @Override
  public void register(Routes rules) {
    for (var kernel : List.of("/kernels/{id}", "/sessions/{name}")) {
      rules.get(kernel + "/diff", this::diff);
    }
  }

  private void diff(ServerRequest request, ServerResponse response) {
    var kernel = addressed.kernel(request);
    Answers.json(request, response, core.diff(kernel.kernelId(), against(request)));
  }

  private static Against against(ServerRequest request) {
    var checkpoint = Requests.query(request, Parameters.CHECKPOINT).map(JsonNode::stringValue);
    var other = Requests.query(request, Parameters.WITH).map(JsonNode::stringValue);
    if (checkpoint.isPresent() && other.isPresent()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "both `checkpoint` and `with` say what to compare with",
          "send one of them, or none for the latest checkpoint");
    }
    return other
        .map(Against::kernel)
        .or(() -> checkpoint.map(Against::checkpoint))
        .orElse(Against.LATEST);
  }
}
