package husk.api.jupyter;

import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Service;
import husk.model.KernelRecord;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/// `/api/kernels`: making, listing, looking at, interrupting, restarting and ending kernels.
final class KernelRoutes implements Endpoint {
  private static final String ONE = "/api/kernels/{id}";

  private final Service core;
  private final JupyterState state;

  KernelRoutes(Service core, JupyterState state) {
    this.core = core;
    this.state = state;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/api/kernels", JupyterAnswers.telling(this::list))
        .post("/api/kernels", JupyterAnswers.telling(this::create))
        .get(ONE, JupyterAnswers.telling(this::show))
        .delete(ONE, JupyterAnswers.telling(this::delete))
        .post(ONE + "/interrupt", JupyterAnswers.telling(this::interrupt))
        .post(ONE + "/restart", JupyterAnswers.telling(this::restart));
  }

  private KernelRecord kernel(ServerRequest request) {
    return core.require(KernelIds.plain(Routes.segment(request.path(), 2)));
  }

  private KernelModel model(KernelRecord record) {
    return KernelModel.of(record, core, state);
  }

  private void list(ServerRequest request, ServerResponse response) {
    JupyterAnswers.json(response, core.list().stream().map(this::model).toList());
  }

  private void create(ServerRequest request, ServerResponse response) {
    var body = JupyterBody.of(request);
    var wanted =
        new NewKernel(body.text("name"), body.text("path"), body.object("env").texts("env"));
    var model = model(core.require(wanted.make(core, state.caller(request)).kernelId()));
    JupyterAnswers.created(response, "/api/kernels/" + model.id(), model);
  }

  private void show(ServerRequest request, ServerResponse response) {
    JupyterAnswers.json(response, model(kernel(request)));
  }

  private void delete(ServerRequest request, ServerResponse response) {
    core.destroy(kernel(request).kernelId());
    JupyterAnswers.nothing(response);
  }

  private void interrupt(ServerRequest request, ServerResponse response) {
    core.interrupt(kernel(request).kernelId());
    JupyterAnswers.nothing(response);
  }

  private void restart(ServerRequest request, ServerResponse response) {
    var kernelId = kernel(request).kernelId();
    state.restart(core, kernelId);
    JupyterAnswers.json(response, model(core.require(kernelId)));
  }
}
