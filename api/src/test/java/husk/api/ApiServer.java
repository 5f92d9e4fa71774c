package husk.api;

import husk.api.server.Server;
import husk.core.Core;
import husk.core.Places;
import husk.local.UnixHttp;
import husk.testkit.LeakDetector;
import husk.testkit.StandingProcess;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// A server with real kernels, on a Unix socket and on a TCP port of loopback, for one test.
final class ApiServer implements AutoCloseable, DaemonControl {
  private final TempHome home = newHome();
  private final Path socket = home.path().resolve("daemon.sock");
  private final Instant startedAt = Instant.now();
  private final HttpClient http = HttpClient.newHttpClient();
  final Core core;
  private final Server server;
  private final URI base;

  /// Open to every program of this machine, or only to those who show one of `keys`.
  ApiServer(String... keys) {
    this(Map.of("api_keys", List.of(keys)));
  }

  /// As a listener is asked for, beside where it listens and for whom.
  ApiServer(Map<String, Object> listener) {
    this.core = Core.open(places(), Duration.ZERO);
    StandingProcess.lend(core.places().sockets());
    this.server = Server.start(core, socket, this);
    this.base = URI.create("http://127.0.0.1:" + listen(listener));
  }

  /// No sandbox is kept ready for the next test.
  private void settings() {
    try {
      Files.createDirectories(home());
      Files.writeString(home().resolve("husk.toml"), "sandbox-pool = 0\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Places places() {
    settings();
    var root = Path.of(System.getProperty("husk.root", ".."));
    return new Places(
        home.path().resolve("home"),
        home.path().resolve("home/registry.db"),
        false,
        home.path().resolve("run"),
        home.path().resolve("run"),
        root.resolve("guest/python").toAbsolutePath().normalize());
  }

  /// Another listener of the same server; its port.
  int listen(Map<String, Object> listener) {
    var spec = new HashMap<String, Object>(Map.of("host", "127.0.0.1", "port", 0));
    spec.put("client", client());
    spec.putAll(listener);
    var opened = overSocket("POST", "/listeners", Json.text(spec)).json();
    var port = opened.findValue("port");
    if (port == null) {
      throw new AssertionError("no port in " + opened);
    }
    return port.intValue();
  }

  /// Whom requests are served for: this process, with the tests' Python.
  Map<String, Object> client() {
    return clientWith(Map.of());
  }

  /// The same with more settings.
  Map<String, Object> clientWith(Map<String, String> settings) {
    var variables = new HashMap<>(settings);
    variables.put("HUSK_PYTHON", TestPython.find().toString());
    variables.putIfAbsent("HUSK_BACKEND", "host");
    return Map.of(
        "cwd", home.path().toString(),
        "environment", Map.of("PATH", System.getenv().getOrDefault("PATH", "/usr/bin:/bin")),
        "variables", variables);
  }

  int port() {
    return base.getPort();
  }

  /// What Husk keeps.
  Path home() {
    return home.path().resolve("home");
  }

  /// JSON to another listener of the same server.
  Reply sendTo(int port, String method, String target, String json, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(json));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return reply(request.build());
  }

  /// Reads an answer over the daemon's own socket line by line, as it comes.
  void linesOverSocket(String target, Consumer<String> each) {
    try (var connection = UnixHttp.open(socket)) {
      var answer = connection.request("GET", target, Map.of());
      new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))
          .lines()
          .forEach(each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An answer, read whole.
  record Reply(int status, Map<String, List<String>> headers, String body) {
    JsonNode json() {
      return Json.tree(body.getBytes(StandardCharsets.UTF_8));
    }

    String header(String name) {
      return String.join(", ", headers.getOrDefault(name, List.of()));
    }
  }

  Path directory() {
    return home.path();
  }

  URI at(String target) {
    return URI.create(base + target);
  }

  Reply get(String target) {
    return send("GET", target, "", "");
  }

  Reply delete(String target) {
    return send("DELETE", target, "", "");
  }

  /// With a body of JSON.
  Reply post(String target, String json) {
    return send("POST", target, json, "application/json");
  }

  Reply post(String target) {
    return send("POST", target, "", "");
  }

  Reply send(String method, String target, String body, String type, String... headers) {
    return send(method, target, body.getBytes(StandardCharsets.UTF_8), type, headers);
  }

  Reply send(String method, String target, byte[] body, String type, String... headers) {
    var request =
        HttpRequest.newBuilder(at(target))
            .method(
                method,
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return reply(request.build());
  }

  private Reply reply(HttpRequest request) {
    try {
      var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new Reply(answer.statusCode(), answer.headers().map(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// The same over the daemon's own socket, as Husk's clients speak.
  Reply overSocket(String method, String target, String json) {
    try (var connection = UnixHttp.open(socket)) {
      var answer =
          connection.request(method, target, Map.of(), json.getBytes(StandardCharsets.UTF_8));
      var body = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
      return new Reply(answer.status(), Map.of(), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A body that makes a kernel the leak detector knows.
  static String marked(String... more) {
    var fields = new java.util.ArrayList<>(List.of(more));
    fields.add("\"env\":{\"" + LeakDetector.VARIABLE + "\":\"" + LeakDetector.marker() + "\"}");
    return "{" + String.join(",", fields) + "}";
  }

  /// A request whose answer is read as it comes: as events, unless the headers say otherwise.
  StreamedReply stream(String target, String json, String... headers) {
    var request =
        HttpRequest.newBuilder(at(target))
            .headers(headers.length > 0 ? headers : new String[] {"Accept", "text/event-stream"})
            .POST(HttpRequest.BodyPublishers.ofString(json));
    if (!json.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    try {
      return new StreamedReply(
          http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    core.sandboxes().clean(true);
    core.destroyAll();
    server.close();
    core.close();
    http.shutdownNow();
    try {
      home.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Instant startedAt() {
    return startedAt;
  }

  @Override
  public void used() {}

  @Override
  public void stop() {}

  @Override
  public String version() {
    return "0.0.0-test";
  }

  private static TempHome newHome() {
    try {
      return TempHome.create();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
