package husk.api.rest;

import husk.api.Answers;
import husk.api.DaemonControl;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Core;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/// `/daemon`: what it is, and its end.
public final class DaemonEndpoint implements Endpoint {
  private final Core core;
  private final DaemonControl daemon;

  public DaemonEndpoint(Core core, DaemonControl daemon) {
    this.core = core;
    this.daemon = daemon;
  }

  @Override
  public void register(Routes rules) {
    rules.get("/daemon", this::status).post("/daemon/stop", this::stop);
  }

  private void status(ServerRequest request, ServerResponse response) {
    var places = core.places();
    var answer = new LinkedHashMap<String, Object>();
    answer.put("pid", ProcessHandle.current().pid());
    answer.put("version", daemon.version());
    answer.put("started_at", daemon.startedAt());
    answer.put("home", places.home());
    answer.put("runtime_dir", places.runtime());
    answer.put("registry", places.inMemory() ? "memory" : places.registry().toString());
    answer.put("java", Runtime.version().toString());
    answer.put("kernels", core.list().stream().filter(r -> r.status().alive()).count());
    var text = new StringBuilder("the daemon runs\n");
    answer.forEach((key, value) -> text.append("  %-12s %s%n".formatted(key, value)));
    Answers.either(request, response, answer, text.toString());
  }

  private void stop(ServerRequest request, ServerResponse response) {
    boolean everything = Answers.body(request, Bodies.StopBody.class).kernels();
    try {
      // Whoever is answered finds nothing of it any more.
      core.keepNothingReady();
      var destroyed = everything ? core.destroyEverything() : 0;
      Answers.either(
          request,
          response,
          Map.of("stopping", true, "destroyed", destroyed),
          "the daemon stops" + (destroyed > 0 ? "; kernels destroyed: " + destroyed : "") + "\n");
    } finally {
      // Also when something could not be ended, which whoever asked is told.
      daemon.stop();
    }
  }
}
