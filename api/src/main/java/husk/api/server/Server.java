package husk.api.server;

import husk.api.DaemonControl;
import husk.api.Farewell;
import husk.api.accept.Door;
import husk.api.accept.Patience;
import husk.api.accept.Room;
import husk.api.accept.Visit;
import husk.api.listen.Listeners;
import husk.core.Core;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

/// Serves a [Core] on a Unix socket that only its owner can open, and over TCP where it is asked to
/// listen.
public final class Server implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.api");

  private final Door door;
  private final Path socket;
  private final AtomicInteger requests;
  private final Listeners listeners;
  private final Dialects dialects;

  private Server(
      Door door, Path socket, AtomicInteger requests, Listeners listeners, Dialects dialects) {
    this.door = door;
    this.socket = socket;
    this.requests = requests;
    this.listeners = listeners;
    this.dialects = dialects;
  }

  public static Server start(Core core, Path socket, DaemonControl daemon) {
    var requests = new AtomicInteger();
    var listeners = new Listeners(daemon);
    var dialects = new Dialects(core, daemon, listeners);
    listeners.serve(dialects, dialects.metrics());
    var routing = HttpRouting.builder();
    routing.addFilter(
        (chain, request, response) -> {
          requests.incrementAndGet();
          daemon.used();
          try {
            chain.proceed();
          } finally {
            Visit.current().answered();
            requests.decrementAndGet();
            daemon.used();
          }
          Farewell.after(request, response);
        });
    dialects.overSocket(routing);
    try {
      Files.deleteIfExists(socket);
      var router =
          Router.builder().addRouting(routing).addRouting(dialects.channelsOverSocket()).build();
      var door =
          Door.open(
              new Door.Spec(
                  UnixDomainSocketAddress.of(socket),
                  router,
                  Optional.empty(),
                  Room.forOwner(),
                  Patience.WITH_OWNER,
                  LOG::warning));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new Server(door, socket, requests, listeners, dialects);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether a request is being served, or may come in over TCP.
  public boolean busy() {
    return requests.get() > 0 || listeners.any();
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      // a newer daemon may have taken it over
    }
    listeners.close();
    dialects.close();
    door.close();
  }
}
