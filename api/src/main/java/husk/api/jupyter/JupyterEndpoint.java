package husk.api.jupyter;

import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Service;
import java.util.List;

/// Jupyter's REST routes, one class for each of its resources.
public final class JupyterEndpoint implements Endpoint {
  private final List<Endpoint> resources;

  public JupyterEndpoint(Service core, JupyterState state) {
    this.resources =
        List.of(
            new ApiRoutes(core, state),
            new SpecRoutes(core, state),
            new KernelRoutes(core, state),
            new SessionRoutes(core, state));
  }

  @Override
  public void register(Routes rules) {
    resources.forEach(resource -> resource.register(rules));
  }
}
