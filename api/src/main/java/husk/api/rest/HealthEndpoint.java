package husk.api.rest;

import husk.api.Answers;
import husk.api.DaemonControl;
import husk.api.Endpoint;
import husk.api.Routes;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;

/// `/health`: that it is there. Anybody may ask.
public final class HealthEndpoint implements Endpoint {
  private final DaemonControl daemon;

  public HealthEndpoint(DaemonControl daemon) {
    this.daemon = daemon;
  }

  @Override
  public void register(Routes routes) {
    routes.get("/health", this::health);
  }

  private void health(ServerRequest request, ServerResponse response) {
    var answer = new LinkedHashMap<String, Object>();
    answer.put("success", true);
    answer.put("data", "ok");
    answer.put("status", "ok");
    answer.put("service", "husk");
    answer.put("version", daemon.version());
    Answers.json(request, response, answer);
  }
}
