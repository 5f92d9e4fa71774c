package husk;

import husk.local.DaemonDoor;
import husk.local.Locations;
import husk.testkit.Eventually;
import husk.testkit.Requirements;
import husk.wire.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The daemon of one home, as only tests treat it.
final class TestDaemon {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DaemonDoor door;

  TestDaemon(HuskOptions options) {
    this.door = new DaemonDoor(Locations.of(options.environment()), options.environment());
  }

  /// The product that `scripts/build` makes; without it there is no daemon to test with.
  static Path dist() {
    var named = Optional.ofNullable(System.getenv("HUSK_DIST")).map(Path::of);
    var dist =
        named.orElse(Path.of(System.getProperty("husk.root", "../..")).resolve("app/target/husk"));
    Requirements.need(
        Files.isExecutable(dist.resolve("bin/husk-daemon")),
        "a built Husk in " + dist + "; scripts/build makes one");
    return dist;
  }

  /// Its pid; there must be one.
  long pid() {
    return Json.tree(ask("GET", "/daemon", "").orElseThrow().getBytes(StandardCharsets.UTF_8))
        .path("pid")
        .asLong();
  }

  void kill() {
    endWith(ProcessHandle::destroyForcibly);
  }

  /// Stops it with all its kernels, if it runs.
  void stop() {
    if (ask("GET", "/health", "").isPresent()) {
      endWith(_ -> ask("POST", "/daemon/stop", "{\"kernels\":true}"));
    }
  }

  /// Stops it and leaves the kernels.
  void stopAlone() {
    endWith(_ -> ask("POST", "/daemon/stop", "{}"));
  }

  private void endWith(Consumer<ProcessHandle> means) {
    var process = ProcessHandle.of(pid()).orElseThrow();
    means.accept(process);
    Eventually.until(PATIENCE, () -> !process.isAlive(), () -> "the daemon does not end");
  }

  private Optional<String> ask(String method, String target, String body) {
    return door.connect()
        .map(
            connection -> {
              try (connection) {
                var answer =
                    connection.request(
                        method, target, Map.of(), body.getBytes(StandardCharsets.UTF_8));
                return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }
}
