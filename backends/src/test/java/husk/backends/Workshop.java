package husk.backends;

import husk.contract.GuestAgent;
import husk.model.Ids;
import husk.spi.Backend;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// Makes sandboxes of one backend for a test, and ends them all.
public final class Workshop implements AutoCloseable {
  private final Backend backend;
  private final TempHome home;
  private final List<Sandbox> made = new ArrayList<>();

  public Workshop(Backend backend) throws IOException {
    this.backend = backend;
    this.home = TempHome.create();
  }

  public SandboxPlace place() throws IOException {
    var id = Ids.fresh();
    var place =
        new SandboxPlace(
            id,
            home.resolve("f").resolve(id),
            home.resolve("s" + made.size()),
            GuestAgent.program());
    for (var folder :
        List.of(place.files(), place.workspace(), place.home(), place.sockets(), place.proxy())) {
      Files.createDirectories(folder);
    }
    return place;
  }

  public Sandbox start(SandboxSpec spec) throws IOException {
    return start(spec, place());
  }

  public Sandbox start(SandboxSpec spec, SandboxPlace place) {
    return keep(backend.start(spec, place));
  }

  /// Takes over the end of a sandbox that was made elsewhere.
  public Sandbox keep(Sandbox sandbox) {
    made.add(sandbox);
    return sandbox;
  }

  @Override
  public void close() throws IOException {
    made.forEach(Sandbox::end);
    home.close();
  }
}
