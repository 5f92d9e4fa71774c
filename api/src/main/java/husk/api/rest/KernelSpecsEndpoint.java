package husk.api.rest;

import husk.api.Answers;
import husk.api.Callers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.api.Texts;
import husk.core.Caller;
import husk.core.Service;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `/kernelspecs`: which kernels can be made.
public final class KernelSpecsEndpoint implements Endpoint {
  private static final List<String> HEADER = List.of("NAME", "LANGUAGE", "WHAT", "WHERE");

  private final Service core;

  public KernelSpecsEndpoint(Service core) {
    this.core = core;
  }

  @Override
  public void register(Routes routes) {
    routes.get("/kernelspecs", this::kernelSpecs);
  }

  private void kernelSpecs(ServerRequest request, ServerResponse response) {
    var specs = core.kernelSpecs(Callers.preset(request).orElseGet(Caller::self));
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("husk", "python", "Husk's own Python kernel", "-"));
    for (var spec : specs.values()) {
      rows.add(
          List.of(spec.name(), spec.language(), spec.displayName(), spec.resources().toString()));
    }
    Answers.either(request, response, Map.of("kernelspecs", specs), Texts.table(HEADER, rows));
  }
}
