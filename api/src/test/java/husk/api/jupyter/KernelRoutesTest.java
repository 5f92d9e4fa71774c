package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.model.KernelOptions;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `/api`, `/api/status` and `/api/kernels`.
@ExtendWith(LeakDetector.class)
final class KernelRoutesTest {
  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theServerSaysWhatItIsAndHowItIs() {
    assertEquals("husk", server.get("/api").body().path("server").asString());
    var empty = server.get("/api/status").body();
    assertEquals(0, empty.path("kernels").asInt());
    var kernel = server.kernel();
    try (var client = server.connect(kernel, "s")) {
      client.run("pass");
      var status = server.get("/api/status").body();
      assertEquals(1, status.path("kernels").asInt());
      assertEquals(1, status.path("connections").asInt());
      assertTrue(status.path("last_activity").asString().endsWith("Z"));
      assertTrue(
          status.path("started").asString().compareTo(status.path("last_activity").asString())
              <= 0);
    }
  }

  @Test
  void aNewKernelHasJupytersModelAndALocation() {
    var made = server.post("/api/kernels", "{\"name\": \"python3\"}");
    assertEquals(201, made.status());
    var id = made.body().path("id").asString();
    assertTrue(id.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), id);
    assertEquals("/api/kernels/" + id, made.response().headers().firstValue("location").orElse(""));
    assertEquals("python3", made.body().path("name").asString());
    assertEquals("idle", made.body().path("execution_state").asString());
    assertEquals(0, made.body().path("connections").asInt());
    assertEquals(5, made.body().size());
    assertEquals(made.body().path("id"), server.get("/api/kernels").body().path(0).path("id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "{\"name\": null, \"path\": null, \"env\": null}",
        "{\"name\": \"python\"}",
        "{\"name\": \"husk\"}",
        "{\"name\": \"\"}",
        "{\"name\": \"python3\", \"unknown\": [1]}"
      })
  void husksOwnKernelIsTheDefaultAndHasThreeNames(String body) {
    var made = server.post("/api/kernels", body);
    assertEquals(201, made.status(), () -> made.body().toString());
    assertEquals("python3", made.body().path("name").asString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "42",
        "\"python3\"",
        "{",
        "{\"name\": 7}",
        "{\"name\": {}}",
        "{\"env\": []}",
        "{\"env\": {\"A\": {}}}",
        "{\"env\": {\"A=B\": \"1\"}}",
        "{\"env\": {\"A\": \"\\u0000\"}}",
        "{\"path\": 1}",
        "{\"path\": \"\\u0000\"}",
        "{\"env\": {\"KERNEL_WORKING_DIR\": \"\\u0000\"}}"
      })
  void whatIsNoRequestIsRefused(String body) {
    var refused = server.post("/api/kernels", body);
    assertEquals(400, refused.status(), () -> refused.body().toString());
    assertTrue(refused.body().path("message").isString());
    assertEquals("Bad Request", refused.body().path("reason").asString());
    assertEquals("invalid_request", refused.body().path("error").path("code").asString());
    assertEquals(0, server.get("/api/kernels").body().size());
  }

  @Test
  void aKernelspecThatIsNotThereIsNotFound() {
    assertEquals(404, server.post("/api/kernels", "{\"name\": \"../../etc\"}").status());
    assertEquals(404, server.post("/api/kernels", "{\"name\": \"julia\"}").status());
  }

  @Test
  void aKernelStartsWhereAndWithWhatItIsToldTo() throws IOException {
    var folder = Files.createDirectories(server.home.path().resolve("notebooks/deep"));
    assertEquals(
        folder + " 1 None", whereAndWhat("{\"path\": \"notebooks/deep\", \"env\": {\"A\": 1}}"));
    assertEquals(
        folder + " x None",
        whereAndWhat("{\"path\": \"" + folder + "\", \"env\": {\"A\": \"x\"}}"));
    assertEquals(
        folder + " None None", whereAndWhat("{\"path\": \"/notebooks/deep/missing/a.ipynb\"}"));
    assertEquals(
        folder.getParent() + " None " + folder.getParent(),
        whereAndWhat(
            "{\"path\": \"notebooks/deep\", \"env\": {\"KERNEL_WORKING_DIR\": \""
                + folder.getParent()
                + "\"}}"));
    assertEquals(
        server.home.path() + " None /not/here",
        whereAndWhat("{\"env\": {\"KERNEL_WORKING_DIR\": \"/not/here\"}}"));
  }

  private String whereAndWhat(String body) {
    var id = server.post("/api/kernels", body).body().path("id").asString();
    try (var client = server.connect(id)) {
      return client
          .printed("import os; print(os.getcwd(), os.getenv('A'), os.getenv('KERNEL_WORKING_DIR'))")
          .strip();
    }
  }

  @Test
  void idsWithAndWithoutDashesAndNamesMeanTheSameKernel() {
    var record = server.core.create(Optional.of("my kernel"), KernelOptions.NONE, server.caller());
    var dashed = KernelIds.dashed(record.kernelId());
    for (var id :
        new String[] {
          dashed, dashed.toUpperCase(java.util.Locale.ROOT), record.kernelId(), "my%20kernel"
        }) {
      assertEquals(dashed, server.get("/api/kernels/" + id).body().path("id").asString(), id);
    }
    try (var client = server.connect("my%20kernel", "s")) {
      assertEquals("1\n", client.printed("print(1)"));
    }
  }

  @Test
  void kernelsOfOtherCallersAreSeenHereAndTheOtherWayRound() {
    var record = server.core.create(Optional.of("other"), KernelOptions.NONE, server.caller());
    assertEquals(
        KernelIds.dashed(record.kernelId()),
        server.get("/api/kernels").body().path(0).path("id").asString());
    var mine = server.kernel();
    assertTrue(server.core.find(KernelIds.plain(mine)).isPresent());
    server.core.destroy(KernelIds.plain(mine));
    assertEquals(404, server.get("/api/kernels/" + mine).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nobody", "%2e%2e", "%00", "a%2Fb", "00000000-0000-0000-0000-000000000000"})
  void aKernelThatIsNotThereIsNotFound(String id) {
    assertEquals(404, server.get("/api/kernels/" + id).status());
    assertEquals(404, server.delete("/api/kernels/" + id).status());
    assertEquals(404, server.post("/api/kernels/" + id + "/interrupt", "").status());
    assertEquals(404, server.post("/api/kernels/" + id + "/restart", "").status());
  }

  @Test
  void aKernelIsRestartedAgainAndAgainAtOnce() {
    var id = server.kernel();
    for (int i = 0; i < 40; i++) {
      var restarted = server.post("/api/kernels/" + id + "/restart", "{}");
      assertEquals(200, restarted.status(), () -> restarted.body().toString());
    }
  }

  @Test
  void aDeletedKernelIsGone() {
    var id = server.kernel();
    var deleted = server.delete("/api/kernels/" + id);
    assertEquals(204, deleted.status());
    assertEquals(0, deleted.response().body().length);
    assertEquals(404, server.get("/api/kernels/" + id).status());
    assertEquals(404, server.delete("/api/kernels/" + id).status());
  }

  @Test
  void aBusyKernelIsSaidToBeBusyAndADeadOneDead() {
    var id = server.kernel();
    try (var client = server.connect(id, "s")) {
      client.execute("print('begun', flush=True)\nimport time; time.sleep(3600)");
      client.until(m -> m.type().equals("stream"));
      assertEquals("busy", state(id));
      assertEquals(1, server.get("/api/kernels/" + id).body().path("connections").asInt());
    }
    server
        .core
        .find(KernelIds.plain(id))
        .flatMap(kernel -> kernel.process())
        .flatMap(process -> ProcessHandle.of(process.pid()))
        .ifPresent(ProcessHandle::destroyForcibly);
    husk.testkit.Eventually.until(
        java.time.Duration.ofSeconds(60),
        () -> !state(id).equals("busy"),
        () -> "it is busy still");
  }

  private String state(String id) {
    return server.get("/api/kernels/" + id).body().path("execution_state").asString();
  }

  @Test
  void aKernelWithAWebSocketIsNotReapedAndOneWithoutIs() throws InterruptedException {
    var options = KernelOptions.NONE.withIdleTimeout(java.time.Duration.ofMillis(500));
    var record = server.core.create(Optional.empty(), options, server.caller());
    try (var client = server.connect(record.kernelId(), "s")) {
      client.run("pass");
      // Several times as long as it may idle.
      Thread.sleep(3000);
      assertEquals("1\n", client.printed("print(1)"));
    }
    husk.testkit.Eventually.until(
        java.time.Duration.ofSeconds(60),
        () -> server.core.find(record.kernelId()).isEmpty(),
        () -> "nobody uses it, and it is still there");
  }
}
