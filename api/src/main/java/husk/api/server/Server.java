package husk.api.server;

import husk.api.DaemonControl;
import husk.api.Farewell;
import husk.api.listen.Listeners;
import husk.core.Core;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;

/// Serves a [Core] on a Unix socket that only its owner can open, and over TCP where it is asked to
/// listen.
public final class Server implements AutoCloseable {
  private final WebServer web;
  private final Path socket;
  private final AtomicInteger requests;
  private final Listeners listeners;
  private final Dialects dialects;

  private Server(
      WebServer web, Path socket, AtomicInteger requests, Listeners listeners, Dialects dialects) {
    this.web = web;
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
            requests.decrementAndGet();
            daemon.used();
          }
          Farewell.after(request, response);
        });
    dialects.overSocket(routing);
    try {
      Files.deleteIfExists(socket);
      var web =
          WebServer.builder()
              .bindAddress(UnixDomainSocketAddress.of(socket))
              .addRouting(routing)
              .addRouting(dialects.channelsOverSocket())
              .shutdownHook(false)
              .build()
              .start();
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new Server(web, socket, requests, listeners, dialects);
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
    web.stop();
  }
}
