package husk.api.jupyter;

import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Service;
import husk.kernels.KernelSpec;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// `/api/kernelspecs` and the files that come with them: what kinds of kernels there are.
///
/// Husk's own kernel goes by the name `python3`; a kernelspec of that name is hidden behind it.
final class SpecRoutes implements Endpoint {
  private final Service core;
  private final JupyterState state;

  SpecRoutes(Service core, JupyterState state) {
    this.core = core;
    this.state = state;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/api/kernelspecs", JupyterAnswers.telling(this::list))
        .get("/api/kernelspecs/{name}", JupyterAnswers.telling(this::show))
        .get("/kernelspecs/{name}/{resource}", JupyterAnswers.telling(this::resource));
  }

  private void list(ServerRequest request, ServerResponse response) {
    var models = new TreeMap<String, SpecModel>();
    core.kernelSpecs(state.caller(request))
        .forEach((name, spec) -> models.put(name, SpecModel.of(spec)));
    models.put(SpecNames.OWN, SpecModel.own());
    JupyterAnswers.json(response, Map.of("default", SpecNames.OWN, "kernelspecs", models));
  }

  private void show(ServerRequest request, ServerResponse response) {
    var name = Routes.segment(request.path(), 2);
    JupyterAnswers.json(
        response, SpecNames.own(name) ? SpecModel.own() : SpecModel.of(require(request, name)));
  }

  private void resource(ServerRequest request, ServerResponse response) {
    var name = Routes.segment(request.path(), 1);
    var file = Routes.segment(request.path(), 2);
    var bytes =
        SpecNames.own(name)
            ? SpecResources.own(file)
            : SpecResources.of(require(request, name), file);
    response.header(
        HeaderNames.CONTENT_TYPE, SpecResources.type(file).orElse("application/octet-stream"));
    // A drawing may carry a script; nothing of this server is for it.
    response.header(HeaderNames.create("Content-Security-Policy"), "sandbox; default-src 'none'");
    response.send(bytes);
  }

  private KernelSpec require(ServerRequest request, String name) {
    var spec = core.kernelSpecs(state.caller(request)).get(name.toLowerCase(Locale.ROOT));
    if (spec == null) {
      throw new Problem(
          Problem.Code.KERNELSPEC_NOT_FOUND,
          "there is no kernelspec `" + name + "`",
          "`/api/kernelspecs` lists those there are");
    }
    return spec;
  }
}
