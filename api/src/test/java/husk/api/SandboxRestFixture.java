package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.GuestAgent;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// A server with a sandbox, reached over TCP with nothing but HTTP.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LeakDetector.class)
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class SandboxRestFixture {
  static final Duration PATIENCE = Duration.ofSeconds(30);
  static final String EXEC = "/sandboxes/box/exec";

  final ApiServer server = new ApiServer();
  final java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient();

  /// What the first sandbox brings to life is no test's leftover.
  @BeforeAll
  void warmUp() {
    GuestAgent.program();
    make();
    clean();
  }

  @BeforeEach
  void make() {
    var made = server.post("/sandboxes", "{\"name\":\"box\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  @AfterEach
  void clean() {
    server.post("/sandboxes/clean", "{\"force\":true}");
  }

  @AfterAll
  void close() {
    client.shutdownNow();
    server.close();
  }

  static String command(Map<String, Object> more, String... argv) {
    var body = new java.util.HashMap<>(more);
    body.put("command", argv);
    return Json.text(body);
  }

  static String shell(String script) {
    return command(Map.of(), "/bin/sh", "-c", script);
  }

  /// What is sent of something, as events.
  StreamedReply follow(String target, String... headers) throws Exception {
    var request =
        java.net.http.HttpRequest.newBuilder(server.at(target))
            .header("Accept", "text/event-stream");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return new StreamedReply(
        client.send(request.build(), java.net.http.HttpResponse.BodyHandlers.ofInputStream()));
  }

  boolean runs(String what) {
    var said = server.post(EXEC, shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")).json();
    return said.path("stdout").stringValue().contains(what);
  }

  void assertSoonOver(String what) {
    Eventually.until(PATIENCE, () -> !runs(what), () -> what + " goes on");
  }
}
