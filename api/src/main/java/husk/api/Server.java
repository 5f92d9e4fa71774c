package husk.api;

import husk.core.Core;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Serves a [Core] on a Unix socket that only its owner can open.
public final class Server implements AutoCloseable {
  private final WebServer web;
  private final Path socket;
  private final AtomicInteger requests;

  private Server(WebServer web, Path socket, AtomicInteger requests) {
    this.web = web;
    this.socket = socket;
    this.requests = requests;
  }

  public static Server start(Core core, Path socket, DaemonControl daemon) {
    var requests = new AtomicInteger();
    List<Endpoint> endpoints =
        List.of(
            new DaemonEndpoint(core, daemon),
            new KernelsEndpoint(core),
            new SessionsEndpoint(core),
            new ExecuteEndpoint(core),
            new ExecutionsEndpoint(core),
            new EnvironmentsEndpoint(core),
            new InspectionEndpoint(core));
    var routing = HttpRouting.builder();
    routing.any(
        (request, response) -> {
          requests.incrementAndGet();
          daemon.used();
          try {
            response.next();
          } finally {
            requests.decrementAndGet();
            daemon.used();
          }
        });
    var routes = new Routes(routing);
    endpoints.forEach(endpoint -> endpoint.register(routes));
    Answers.registerErrors(routing);
    try {
      Files.deleteIfExists(socket);
      var web =
          WebServer.builder()
              .bindAddress(UnixDomainSocketAddress.of(socket))
              .routing(routing)
              .shutdownHook(false)
              .build()
              .start();
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new Server(web, socket, requests);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Whether a request is being served.
  public boolean busy() {
    return requests.get() > 0;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      // a newer daemon may have taken it over
    }
    web.stop();
  }

  static Problem tooLarge(long limit) {
    return new Problem(
        Problem.Code.TOO_LARGE, "the request is larger than " + (limit >> 20) + " MiB");
  }

  static <T> T read(byte[] body, Class<T> type) {
    return Json.read(body.length == 0 ? new byte[] {'{', '}'} : body, type);
  }
}
