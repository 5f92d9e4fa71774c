package husk.backends.isolation;

import husk.proxy.EgressPolicy;
import husk.proxy.EgressProxy;
import husk.proxy.Resolver;
import husk.spi.SandboxSpec;
import husk.testkit.TempHome;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on Unix sockets that have a path: the daemon's, other sandboxes', Husk's own.
final class SocketAttacksTest extends Battlefield {

  private static Attack connect(Path socket) {
    return Attack.of("s = socket.socket(socket.AF_UNIX)\ns.connect(args[0])\nreturn True", socket);
  }

  /// One that everybody may connect to who finds it.
  private static ServerSocketChannel listen(Path socket) throws IOException {
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
    return server;
  }

  @ParameterizedTest
  @EnumSource
  void socketOfADaemonIsNotThere(Place place) throws IOException {
    try (var home = TempHome.create();
        var _ = listen(home.resolve("daemon.sock"))) {
      onlyWithoutWalls(place, connect(home.resolve("daemon.sock")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void pairOfSocketsIsNoWayAroundEither(Place place) throws IOException {
    try (var home = TempHome.create();
        var _ = listen(home.resolve("daemon.sock"))) {
      Attack.of(
              """
              s, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
              s.connect(args[0])
              return True
              """,
              home.resolve("daemon.sock"))
          .isRefusedIn(walled(place));
    }
  }

  @ParameterizedTest
  @EnumSource
  void agentsOfSandboxesAreNotThere(Place place) throws IOException {
    var mine = walled(place);
    var other = walls.place();
    walls.start(SandboxSpec.of("bubblewrap", place.profile()), other);
    connect(other.agentSocket()).isRefusedIn(mine);
    connect(mine.agentSocket().orElseThrow()).isRefusedIn(mine);
    connect(other.agentSocket()).worksIn(host());
  }

  @ParameterizedTest
  @EnumSource
  void proxyOfAnotherSandboxIsNotThere(Place place) throws IOException {
    var other = walls.place();
    try (var _ =
        EgressProxy.open(
            other.proxySocket(), () -> EgressPolicy.OPEN, Resolver.system(), _ -> {})) {
      onlyWithoutWalls(place, connect(other.proxySocket()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noSocketOfTheHostIsListedOrOpen(Place place) throws IOException {
    Attack.of(
            """
            paths = [l.split()[7] for l in open('/proc/net/unix') if len(l.split()) > 7 and l.split()[7] != 'Path']
            return [p for p in paths if 'daemon' in p or 'proxy' in p]
            """)
        .isRefusedIn(walled(place));
    Attack.of("return glob.glob('/run/*') + glob.glob('/var/run/*') + glob.glob('/tmp/*')")
        .isRefusedIn(walled(place));
  }
}
