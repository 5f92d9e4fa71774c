package husk.backends.agents;

import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import husk.spi.Tenancy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/// What a later process needs to take a sandbox over.
public final class Lookup {
  private Lookup() {}

  private static Path notes(SandboxPlace place) {
    return place.sockets().resolve("cgroups");
  }

  public static void save(SandboxPlace place, Cgroups cgroups) throws IOException {
    cgroups.save(notes(place));
  }

  /// The sandbox if it lives; what is left of one that does not is removed.
  public static Optional<Sandbox> find(
      SandboxSpec spec,
      SandboxPlace place,
      SandboxProcess process,
      Function<Cgroups, Optional<Tenancy>> tenancy) {
    var cgroups =
        Files.exists(notes(place)) ? Cgroups.load(notes(place)) : Cgroups.named(place.id());
    var sandbox =
        new AgentSandbox(
            place,
            process,
            cgroups,
            LimitOptions.enforcement(spec.limits(), cgroups),
            tenancy.apply(cgroups));
    if (sandbox.alive()) {
      return Optional.of(sandbox);
    }
    // Whoever started it may have been killed before it could note the first process, which waits.
    sandbox.end();
    return Optional.empty();
  }
}
