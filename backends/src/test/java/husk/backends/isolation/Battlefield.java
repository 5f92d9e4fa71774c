package husk.backends.isolation;

import husk.backends.Workshop;
import husk.backends.bubblewrap.Bubblewrap;
import husk.backends.bubblewrap.Unprivileged;
import husk.backends.host.Host;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sandboxes to attack from, and the host to compare with.
@ExtendWith(LeakDetector.class)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class Battlefield {
  /// Without it, a success on the host that needs rights is not asked for.
  static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  static final int SYS_RESOURCE = 24;
  static final int SYS_TIME = 25;

  Workshop walls;
  Workshop open;

  @BeforeEach
  void prepare() throws IOException {
    walls = new Workshop(new Bubblewrap());
    open = new Workshop(new Host());
  }

  @AfterEach
  void leave() throws IOException {
    walls.close();
    open.close();
  }

  /// A sandbox behind walls.
  Sandbox walled(Place place) throws IOException {
    return walled(place, UnaryOperator.identity());
  }

  /// The same with something changed.
  Sandbox walled(Place place, UnaryOperator<SandboxSpec> change) throws IOException {
    var spec = change.apply(SandboxSpec.of("bubblewrap", place.profile()));
    return place == Place.UNPRIVILEGED
        ? walls.keep(Unprivileged.start(spec, walls.place()))
        : walls.start(spec);
  }

  /// No walls at all.
  Sandbox host() throws IOException {
    return open.start(SandboxSpec.of("host", Profile.PERMISSIVE));
  }

  /// What works without walls and not behind them.
  void onlyWithoutWalls(Place place, Attack attack) throws IOException {
    attack.isRefusedIn(walled(place));
    attack.worksIn(host());
  }

  /// The same where the host's part takes a capability that root does not have everywhere.
  void onlyWithoutWalls(Place place, int capability, Attack attack) throws IOException {
    attack.isRefusedIn(walled(place));
    if (has(capability)) {
      attack.worksIn(host());
    }
  }

  private static boolean has(int capability) throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("CapEff:"))
          .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(all -> (all >> capability & 1) == 1);
    }
  }

  /// The same where the host's part takes root.
  void onlyAsRootWithoutWalls(Place place, Attack attack) throws IOException {
    attack.isRefusedIn(walled(place));
    if (ROOT) {
      attack.worksIn(host());
    }
  }
}
