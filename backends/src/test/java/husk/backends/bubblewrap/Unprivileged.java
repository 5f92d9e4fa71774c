package husk.backends.bubblewrap;

import husk.backends.agents.AgentSandbox;
import husk.backends.agents.Cgroups;
import husk.backends.agents.EnvironmentFile;
import husk.backends.agents.FirstProcess;
import husk.backends.agents.Launcher;
import husk.backends.agents.LimitOptions;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A sandbox as a user without any rights would have it, for tests that run as root: the same
/// walls, started by nobody in particular. Others have no need of it; their sandboxes are such.
public final class Unprivileged {
  private static final int FIRST = 20_000;

  private Unprivileged() {}

  public static Sandbox start(SandboxSpec spec, SandboxPlace place) throws IOException {
    if (!"root".equals(System.getProperty("user.name"))) {
      return new Bubblewrap().start(spec, place);
    }
    Requirements.need(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv (util-linux)");
    var own = with(place, agent(place));
    var cgroups = Cgroups.none();
    var options = new ArrayList<>(LimitOptions.of(spec.limits(), cgroups));
    options.addAll(EnvironmentFile.write(own, Variables.of(spec)));
    options.addAll(List.of("--family", "new"));
    var walls = new Walls(spec, own);
    options.addAll(walls.view());
    var asUser = asUser(own);
    giveAway(own);
    new Launcher(
            with(place, asUser),
            options,
            walls.command(LimitOptions.fixesProcessors(spec.limits(), cgroups)))
        .start(spec, Obstacles::explain);
    var first = FirstProcess.of(Family.said(own).first()).orElseThrow();
    return new AgentSandbox(
        own, first, cgroups, LimitOptions.enforcement(spec.limits(), cgroups), Optional.empty());
  }

  /// A number of its own for each, so that none counts the processes of another.
  private static int user(SandboxPlace place) {
    return FIRST + Integer.parseInt(place.id().substring(0, 4), 16) / 2;
  }

  private static SandboxPlace with(SandboxPlace place, Path agent) {
    return new SandboxPlace(place.id(), place.files(), place.sockets(), agent);
  }

  /// What the launcher starts in the agent's place.
  private static Path asUser(SandboxPlace place) throws IOException {
    var script = place.files().resolve("as-user");
    Files.writeString(
        script,
        """
        #!/bin/sh
        exec /usr/bin/setpriv --reuid %d --regid %d --clear-groups '%s' "$@"
        """
            .formatted(user(place), user(place), place.agent()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(place.log(), "");
    return script;
  }

  /// A program that everybody may execute, wherever the sources are.
  private static Path agent(SandboxPlace place) throws IOException {
    return Files.copy(
        place.agent(),
        place.files().resolve("agent"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static void giveAway(SandboxPlace place) throws IOException {
    for (var top : List.of(place.files(), place.sockets())) {
      try (var all = Files.walk(top)) {
        for (var path : all.toList()) {
          Files.setAttribute(path, "unix:uid", user(place));
        }
      }
      open(top);
    }
  }

  /// The way to it must be passable.
  private static void open(Path path) throws IOException {
    for (var folder = path.getParent();
        folder != null && !folder.equals(Path.of("/tmp"));
        folder = folder.getParent()) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
  }
}
