package husk.api.sandboxes;

import husk.api.Endpoint;
import husk.core.Service;
import husk.spi.RunningCommand;
import java.util.List;

/// Everything there is about sandboxes over HTTP.
public final class SandboxDialect {
  private SandboxDialect() {}

  /// What is served everywhere.
  public static List<Endpoint> endpoints(Service core) {
    var commands = new Lines<RunningCommand>("command");
    return List.of(
        new SandboxesEndpoint(core),
        new EventsEndpoint(core),
        new DetachedEndpoint(core, commands),
        new ExecEndpoint(core, commands),
        new FilesEndpoint(core),
        new PortsEndpoint(core));
  }
}
