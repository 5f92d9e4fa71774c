package husk.api.accept;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A door in a process of its own, which has the limits a test gave it and can be told to open all
/// the files it may.
final class CrowdedServer {
  private final List<InputStream> eaten = new ArrayList<>();

  private CrowdedServer() {}

  /// Serves until nobody talks to it any more, over TCP and on a Unix socket.
  ///
  /// @param arguments the socket, and `careless` to accept without looking at descriptors
  public static void main(String[] arguments) throws IOException {
    boolean careless = List.of(arguments).contains("careless");
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var owner = UnixDomainSocketAddress.of(arguments[0]);
    try (var door = open(loopback, careless ? new Room(10_000, () -> false) : Room.forTcp());
        var _ = open(owner, Room.forOwner())) {
      tell("port " + door.port());
      new CrowdedServer().obey();
    }
  }

  private static Door open(SocketAddress address, Room room) throws IOException {
    return Door.open(
        new Door.Spec(
            address,
            TestRoutes.router(),
            Optional.empty(),
            room,
            Patience.DEFAULT,
            said -> tell("said " + said)));
  }

  private void obey() throws IOException {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var word = in.readLine(); word != null; word = in.readLine()) {
      if (word.equals("eat")) {
        eat();
      } else {
        for (var file : eaten) {
          file.close();
        }
      }
      tell("done " + word);
    }
  }

  private void eat() {
    try {
      while (true) {
        eaten.add(Files.newInputStream(Path.of("/dev/null")));
      }
    } catch (IOException full) {
      // as it was meant
    }
  }

  private static synchronized void tell(String what) {
    System.out.println(what);
    System.out.flush();
  }
}
