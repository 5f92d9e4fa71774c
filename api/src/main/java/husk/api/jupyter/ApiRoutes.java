package husk.api.jupyter;

import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Service;
import husk.local.Version;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Comparator;
import java.util.Map;

/// `/api` and `/api/status`: what this is, and how it is doing.
final class ApiRoutes implements Endpoint {
  private final Service core;
  private final JupyterState state;

  ApiRoutes(Service core, JupyterState state) {
    this.core = core;
    this.state = state;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/api", JupyterAnswers.telling(this::version))
        .get("/api/", JupyterAnswers.telling(this::version))
        .get("/api/status", JupyterAnswers.telling(this::status));
  }

  private void version(ServerRequest request, ServerResponse response) {
    JupyterAnswers.json(response, Map.of("version", Version.NUMBER, "server", "husk"));
  }

  private void status(ServerRequest request, ServerResponse response) {
    var kernels = core.list();
    var lastActivity =
        kernels.stream()
            .map(core::lastActivity)
            .max(Comparator.naturalOrder())
            .orElse(state.startedAt());
    JupyterAnswers.json(
        response,
        Map.of(
            "started", KernelModel.time(state.startedAt()),
            "last_activity", KernelModel.time(lastActivity),
            "connections", state.openConnections(),
            "kernels", kernels.size()));
  }
}
