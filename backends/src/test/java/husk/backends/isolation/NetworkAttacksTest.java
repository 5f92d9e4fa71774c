package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.CommandSpec;
import husk.testkit.Requirements;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on the network, past the proxy.
final class NetworkAttacksTest extends Battlefield {

  @ParameterizedTest
  @EnumSource
  void serversOfTheHostCannotBeReachedByAddress(Place place) throws IOException {
    try (var server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.2"))) {
      onlyWithoutWalls(
          place,
          Attack.of(
              "return socket.create_connection(('127.0.0.2', int(args[0])), 5)",
              server.getLocalPort()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void serversOfTheHostCannotBeReachedOverVersionSix(Place place) throws IOException {
    try (var server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
      onlyWithoutWalls(
          place,
          Attack.of(
              "return socket.create_connection(('::1', int(args[0])), 5)", server.getLocalPort()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void datagramsDoNotLeave(Place place) throws IOException {
    try (var server = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.2"))) {
      var attack =
          Attack.of(
              """
              s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
              s.sendto(b'question', ('127.0.0.2', int(args[0])))
              return True
              """,
              server.getLocalPort());
      attack.in(walled(place));
      assertThat(received(server, 300)).isFalse();
      attack.worksIn(host());
      assertThat(received(server, 10_000)).isTrue();
    }
  }

  private static boolean received(DatagramSocket server, int patienceMs) throws IOException {
    server.setSoTimeout(patienceMs);
    try {
      server.receive(new DatagramPacket(new byte[100], 100));
      return true;
    } catch (SocketTimeoutException nothing) {
      return false;
    }
  }

  private static final String GO =
      """
      family = socket.AF_INET6 if ':' in args[0] else socket.AF_INET
      s = socket.socket(family, socket.SOCK_DGRAM)
      s.connect((args[0], 53))
      return True
      """;

  @ParameterizedTest
  @EnumSource
  void thereIsNoWayToAnyAddress(Place place) throws IOException {
    var sandbox = walled(place);
    for (var address : new String[] {"192.0.2.1", "169.254.169.254", "10.0.0.1", "2001:db8::1"}) {
      Attack.of(GO, address).isRefusedIn(sandbox);
    }
  }

  @ParameterizedTest
  @EnumSource
  void addressesOfTheHostsOwnInterfacesAreNotReached(Place place) throws Exception {
    Requirements.need(ROOT, "the right to give the loopback another address");
    var own = "198.51.100." + (1 + ProcessHandle.current().pid() % 250);
    loopback("add", own);
    try {
      onlyWithoutWalls(place, Attack.of(GO, own));
    } finally {
      loopback("del", own);
    }
  }

  private static void loopback(String how, String address) throws Exception {
    var ip = new ProcessBuilder("ip", "addr", how, address + "/32", "dev", "lo").inheritIO();
    assertThat(ip.start().waitFor()).as("ip addr " + how).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void namesAreNotLookedUp(Place place) throws IOException {
    Attack.of(
            """
            try: return socket.getaddrinfo('example.com', 80)
            except socket.gaierror: return False
            """)
        .isRefusedIn(walled(place));
  }

  @ParameterizedTest
  @EnumSource
  void rawSocketsAreRefused(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of("return socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)"));
    onlyAsRootWithoutWalls(
        place, Attack.of("return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 768)"));
    onlyWithoutWalls(
        place, Attack.of("return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)"));
  }

  @ParameterizedTest
  @EnumSource
  void otherFamiliesAreRefused(Place place) throws IOException {
    var sandbox = walled(place);
    for (var family : new String[] {"AF_VSOCK", "AF_ALG", "AF_BLUETOOTH", "AF_CAN", "AF_TIPC"}) {
      Attack.of("return socket.socket(getattr(socket, args[0]), socket.SOCK_STREAM)", family)
          .isRefusedIn(sandbox);
    }
  }

  @ParameterizedTest
  @EnumSource
  void interfacesCannotBeChanged(Place place) throws IOException {
    onlyAsRootWithoutWalls(
        place,
        Attack.of(
            """
            def ip(*words): return subprocess.call(['ip', 'addr', *words, '127.77.0.1/32', 'dev', 'lo'], stderr=-3) == 0
            return ip('add') and ip('del')
            """));
    Attack.of("return [n for _, n in socket.if_nameindex() if n != 'lo']")
        .isRefusedIn(walled(place));
  }

  @ParameterizedTest
  @EnumSource
  void abstractSocketsOfTheHostAreNotThere(Place place) throws IOException {
    var name = "husk-test-" + ProcessHandle.current().pid() + "-" + place;
    var host = host();
    try (var server = host.run(CommandSpec.of("/usr/bin/python3", "-c", LISTEN, name))) {
      server.next();
      var attack =
          Attack.of(
              "s = socket.socket(socket.AF_UNIX)\ns.connect('\\0' + args[0])\nreturn True", name);
      attack.isRefusedIn(walled(place));
      attack.worksIn(host);
    }
  }

  private static final String LISTEN =
      """
      import socket, sys, time
      s = socket.socket(socket.AF_UNIX); s.bind('\\0' + sys.argv[1]); s.listen(); print('up', flush=True)
      time.sleep(1000)
      """;

  @ParameterizedTest
  @EnumSource
  void sandboxReachesItsOwnServers(Place place) throws IOException {
    var ran =
        Ran.in(
            walled(place),
            "/usr/bin/python3",
            "-c",
            "import socket; s = socket.create_server(('127.0.0.1', 0));"
                + " print(bool(socket.create_connection(s.getsockname())))");
    assertThat(ran.said()).isEqualTo("True");
  }
}
