package husk.gateway;

import husk.HuskOptions;
import husk.kernels.Threads;
import husk.local.DaemonDoor;
import husk.local.Locations;
import husk.local.UnixHttp;
import husk.model.Problem;
import husk.wire.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// The daemon that a gateway is: one of its own, in a home of its own.
final class GatewayProcess {
  private static final Duration START = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 10;

  /// What of this process's surroundings the daemon has to have, to run at all. None of it but the
  /// PATH reaches kernels.
  private static final String[] INHERITED = {
    "PATH", "JAVA_HOME", "HUSK_DIST", "HUSK_PYTHON", "HUSK_TEST"
  };

  private final Map<String, String> environment;
  private final DaemonDoor door;
  private final GatewayLog log;
  private final Process process;

  private GatewayProcess(Map<String, String> environment, GatewayLog log, Process process) {
    this.environment = environment;
    this.door = new DaemonDoor(Locations.of(environment), environment);
    this.log = log;
    this.process = process;
  }

  /// Starts it in the caller's directory, where its kernels start too.
  static GatewayProcess start(
      HuskOptions options,
      PrivateHome home,
      Map<String, String> forKernels,
      boolean sandbox,
      Optional<Path> sandboxConfig,
      GatewayLog log) {
    var environment = environment(options, home, forKernels);
    environment.put("HUSK_BACKEND", sandbox ? "bubblewrap" : "host");
    sandboxConfig.ifPresent(file -> environment.put("HUSK_SANDBOX_CONFIG", file.toString()));
    Locations.of(environment).prepare();
    var builder = new ProcessBuilder("setsid", DaemonDoor.program(environment).toString());
    builder.directory(options.directory().toFile()).redirectErrorStream(true);
    builder.redirectInput(new File("/dev/null"));
    builder.environment().clear();
    builder.environment().putAll(environment);
    try {
      var started = new GatewayProcess(environment, log, builder.start());
      log.follow(started.process.inputReader(StandardCharsets.UTF_8));
      return started;
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.TOOL_MISSING,
              "the gateway cannot be started through `setsid`: " + e.getMessage(),
              "install util-linux, which has it")
          .causedBy(e);
    }
  }

  private static Map<String, String> environment(
      HuskOptions options, PrivateHome home, Map<String, String> forKernels) {
    var environment = new TreeMap<String, String>();
    for (var name : INHERITED) {
      var value = options.environment().get(name);
      if (value != null) {
        environment.put(name, value);
      }
    }
    environment.put("HUSK_HOME", home.path().toString());
    environment.put("HUSK_RUNTIME_DIR", home.runtime().toString());
    environment.put("HUSK_KERNEL_ENV", Json.text(forKernels));
    // Clients may be silent for long; those of a gateway that was killed are not kept for ever.
    environment.put("HUSK_KERNEL_IDLE_TIMEOUT", String.valueOf(Duration.ofDays(1).toSeconds()));
    return environment;
  }

  Map<String, String> environment() {
    return environment;
  }

  /// Asks the daemon something, as soon as it can be asked.
  JsonNode ask(String method, String path, Map<String, ?> body) {
    try (var connection = connect()) {
      var answer = connection.request(method, path, Map.of(), Json.bytes(body));
      var json = Json.tree(answer.body().readAllBytes());
      if (answer.failed()) {
        throw problem(json);
      }
      return json;
    } catch (IOException e) {
      throw unavailable("it cannot be asked: " + e).causedBy(e);
    }
  }

  private UnixHttp connect() {
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      boolean alive = process.isAlive();
      var connection = door.connect();
      if (connection.isPresent()) {
        return connection.get();
      }
      if (!alive) {
        throw unavailable("it ended with code " + process.exitValue());
      }
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw unavailable("it does not answer");
      }
      Threads.sleep(PAUSE_MILLIS);
    }
  }

  private static Problem problem(JsonNode json) {
    var error = json.path("error");
    return new Problem(
        Problem.Code.of(error.path("code").asString("")),
        error.path("message").asString(json.toString()),
        error.path("remedies").valueStream().map(it -> it.asString("")).toList());
  }

  private Problem unavailable(String why) {
    var printed = log.end();
    return new Problem(
        Problem.Code.DAEMON_UNAVAILABLE,
        "the gateway is not there: " + why + (printed.isEmpty() ? "" : "; it printed:\n" + printed),
        "`logToStderr` shows all it prints");
  }

  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  static Path guest(Map<String, String> environment) {
    return DaemonDoor.program(environment).resolveSibling("../guest/python").normalize();
  }
}
