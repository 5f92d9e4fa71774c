package husk.api.accept;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A door on a port of loopback, and what it said.
record TestDoor(Door door, List<String> said) implements AutoCloseable {
  /// Nobody is ended for being slow.
  static final Patience ENDLESS = patience(Duration.ofHours(1), Duration.ofHours(1));

  static TestDoor open(int most, Patience patience) throws IOException {
    var said = new CopyOnWriteArrayList<String>();
    var spec =
        new Door.Spec(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            TestRoutes.router(),
            Optional.empty(),
            new Room(most, () -> false),
            patience,
            said::add);
    return new TestDoor(Door.open(spec), said);
  }

  /// Some patience.
  ///
  /// @param whole also of heads
  static Patience patience(Duration whole, Duration flowing) {
    return new Patience(whole, whole, flowing, Duration.ofHours(1), Duration.ofHours(1));
  }

  RawCaller call() throws IOException {
    return new RawCaller(door.port());
  }

  @Override
  public void close() {
    door.close();
  }
}
