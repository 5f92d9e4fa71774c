package husk.api.jupyter;

import husk.api.Gatekeeper;
import husk.api.Routes;
import husk.api.accept.Door;
import husk.api.accept.Patience;
import husk.api.accept.Room;
import husk.api.spool.SpoolLimits;
import husk.core.Caller;
import husk.core.Core;
import husk.core.Places;
import husk.core.Service;
import husk.kernels.BaseEnvironment;
import husk.testkit.LeakDetector;
import husk.testkit.StandingProcess;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import husk.wire.Json;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Jupyter's dialect on a port of its own, over a core with real kernels.
final class TestServer implements AutoCloseable {
  final TempHome home = newHome();
  final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  final Core core;
  final JupyterState state;
  private final Places places;
  private final Door door;

  TestServer() {
    this(JupyterState.Retention.DEFAULT, Gatekeeper.OPEN);
  }

  TestServer(JupyterState.Retention retention, Gatekeeper gatekeeper) {
    var root = Path.of(System.getProperty("husk.root", ".."));
    places =
        new Places(
            home.path().resolve("home"),
            home.path().resolve("home/registry.db"),
            false,
            home.path().resolve("run"),
            home.path().resolve("run"),
            root.resolve("guest/python").toAbsolutePath().normalize());
    core = Core.open(places, Duration.ZERO, caller());
    StandingProcess.lend(places.sockets());
    state = new JupyterState(home.path().resolve("spool"), caller(), retention);
    var routing = HttpRouting.builder();
    new JupyterEndpoint(Service.ofOwner(core), state).register(new Routes(routing));
    var channels = ChannelsRouting.of(Service.ofOwner(core), state, gatekeeper);
    door = open(Router.builder().addRouting(routing).addRouting(channels).build());
  }

  private static Door open(Router router) {
    try {
      return Door.open(
          new Door.Spec(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              router,
              Optional.empty(),
              Room.forTcp(),
              Patience.DEFAULT,
              _ -> {}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JupyterState.Retention retention(Duration away, int sessions, long disk) {
    return new JupyterState.Retention(away, sessions, new SpoolLimits(1 << 20, 2 << 20, disk));
  }

  private static TempHome newHome() {
    try {
      return TempHome.create();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// New kernels carry the leak detector's marker.
  Caller caller() {
    var environment = new HashMap<>(BaseEnvironment.of(System.getenv()));
    environment.put(LeakDetector.VARIABLE, LeakDetector.marker());
    return new Caller(
        Optional.of(home.path().toString()),
        environment,
        Map.of(
            "HUSK_PYTHON", TestPython.find().toString(),
            "HUSK_BACKEND", "host",
            "JUPYTER_PATH", home.path().resolve("jupyter").toString()));
  }

  int port() {
    try {
      return door.port();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  // REST

  record Answer(int status, JsonNode body, HttpResponse<byte[]> response) {}

  Answer get(String path) {
    return send("GET", path, Optional.empty());
  }

  Answer post(String path, String body) {
    return send("POST", path, Optional.of(body));
  }

  Answer delete(String path) {
    return send("DELETE", path, Optional.empty());
  }

  Answer send(String method, String path, Optional<String> body) {
    var publisher =
        body.map(HttpRequest.BodyPublishers::ofString).orElse(HttpRequest.BodyPublishers.noBody());
    try {
      var response =
          http.send(
              HttpRequest.newBuilder(uri(path)).method(method, publisher).build(),
              HttpResponse.BodyHandlers.ofByteArray());
      var json =
          response.headers().firstValue("content-type").orElse("").equals("application/json")
              ? Json.tree(response.body())
              : Json.MAPPER.createObjectNode();
      return new Answer(response.statusCode(), json, response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// The id of a new kernel.
  String kernel() {
    return post("/api/kernels", "{\"name\": \"python3\"}").body().path("id").asString();
  }

  // WebSockets

  Client connect(String kernelId) {
    return new Client(this, kernelId, Optional.empty(), false);
  }

  Client connect(String kernelId, String sessionId) {
    return new Client(this, kernelId, Optional.of(sessionId), false);
  }

  Client connectV1(String kernelId, String sessionId) {
    return new Client(this, kernelId, Optional.of(sessionId), true);
  }

  @Override
  public void close() {
    http.shutdownNow();
    state.close();
    core.destroyAll();
    door.close();
    core.close();
    try {
      home.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
