package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.LeakDetector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `/api/sessions`, through the whole life of one.
@ExtendWith(LeakDetector.class)
final class SessionRoutesTest {
  private static final String NOTEBOOK =
      "{\"path\": \"a/b.ipynb\", \"name\": \"b\", \"type\": \"notebook\","
          + " \"kernel\": {\"name\": \"python3\"}}";

  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private TestServer.Answer patch(String id, String body) {
    return server.send("PATCH", "/api/sessions/" + id, Optional.of(body));
  }

  private String open() {
    return server.post("/api/sessions", NOTEBOOK).body().path("id").asString();
  }

  private String kernelOf(String session) {
    return server.get("/api/sessions/" + session).body().path("kernel").path("id").asString();
  }

  @Test
  void aSessionIsMadeWithItsKernelFoundAndListed() {
    var made = server.post("/api/sessions", NOTEBOOK);
    assertEquals(201, made.status());
    var id = made.body().path("id").asString();
    assertEquals(
        "/api/sessions/" + id, made.response().headers().firstValue("location").orElse(""));
    assertEquals("a/b.ipynb", made.body().path("path").asString());
    assertEquals("a/b.ipynb", made.body().path("notebook").path("path").asString());
    assertEquals("python3", made.body().path("kernel").path("name").asString());
    assertEquals(made.body(), withoutTime(server.get("/api/sessions/" + id), made));
    assertEquals(1, server.get("/api/sessions").body().size());
    assertEquals(1, server.get("/api/kernels").body().size());
  }

  /// The answer, with the time of the other's last activity.
  private static Object withoutTime(TestServer.Answer answer, TestServer.Answer other) {
    var kernel = (tools.jackson.databind.node.ObjectNode) answer.body().path("kernel");
    kernel.set("last_activity", other.body().path("kernel").path("last_activity"));
    return answer.body();
  }

  @Test
  void thePathOfASessionGivesThatSession() {
    var first = open();
    assertEquals(first, open());
    assertEquals(1, server.get("/api/kernels").body().size());
  }

  @Test
  void manyThatOpenOneNotebookAtOnceGetOneSession() throws Exception {
    var ids = new HashSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<String>>();
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(this::open));
      }
      for (var answer : answers) {
        ids.add(answer.get());
      }
    }
    assertEquals(1, ids.size());
    assertEquals(1, server.get("/api/kernels").body().size());
  }

  @Test
  void aSessionIsRenamed() {
    var id = open();
    var changed = patch(id, "{\"path\": \"c.py\", \"name\": \"c\", \"type\": \"console\"}");
    assertEquals(200, changed.status());
    assertEquals("c.py", changed.body().path("path").asString());
    assertTrue(changed.body().path("notebook").isMissingNode());
    assertEquals("console", server.get("/api/sessions/" + id).body().path("type").asString());
  }

  @Test
  void aSessionThatGetsANewKernelEndsTheOldOne() {
    var id = open();
    var former = kernelOf(id);
    var changed = patch(id, "{\"kernel\": {\"name\": \"python3\"}}");
    assertEquals(200, changed.status());
    assertNotEquals(former, kernelOf(id));
    assertEquals(404, server.get("/api/kernels/" + former).status());
    assertEquals(1, server.get("/api/sessions").body().size());
  }

  @Test
  void aKernelThatTwoSessionsShareOutlivesTheFirstToLeave() {
    var one = open();
    var shared = kernelOf(one);
    var two =
        server
            .post(
                "/api/sessions",
                "{\"path\": \"console-1\", \"type\": \"console\", \"kernel\": {\"id\": \""
                    + shared
                    + "\"}}")
            .body()
            .path("id")
            .asString();
    assertEquals(shared, kernelOf(two));
    patch(one, "{\"kernel\": {\"name\": \"python3\"}}");
    assertEquals(200, server.get("/api/kernels/" + shared).status());
    assertEquals(2, server.get("/api/sessions").body().size());
    patch(two, "{\"kernel\": {\"id\": \"" + kernelOf(one) + "\"}}");
    assertEquals(404, server.get("/api/kernels/" + shared).status());
  }

  @Test
  void aDeletedSessionTakesItsKernelAlong() {
    var id = open();
    assertEquals(204, server.delete("/api/sessions/" + id).status());
    assertEquals(404, server.get("/api/sessions/" + id).status());
    assertEquals(404, server.delete("/api/sessions/" + id).status());
    assertEquals(0, server.get("/api/kernels").body().size());
  }

  @Test
  void aSessionIsGoneWithItsKernel() {
    server.delete("/api/kernels/" + kernelOf(open()));
    assertEquals(0, server.get("/api/sessions").body().size());
  }

  @Test
  void aSessionSurvivesARestartOfItsKernel() {
    var id = open();
    assertEquals(200, server.post("/api/kernels/" + kernelOf(id) + "/restart", "").status());
    assertEquals("a/b.ipynb", server.get("/api/sessions/" + id).body().path("path").asString());
  }

  @Test
  void aSessionSurvivesTheDaemon() {
    var id = open();
    try (var later = husk.core.Core.open(server.core.places())) {
      assertEquals(
          id, new JupyterSessions(husk.core.Service.ofOwner(later)).require(id).session().id());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"path\": \"x\"}",
        "{\"type\": \"notebook\"}",
        "{\"path\": 1, \"type\": \"notebook\"}",
        "{\"path\": \"x\", \"type\": \"notebook\", \"kernel\": 1}",
        "{\"path\": \"x\", \"type\": \"notebook\", \"kernel\": {\"name\": 1}}"
      })
  void whatIsNoSessionIsRefused(String body) {
    assertEquals(400, server.post("/api/sessions", body).status());
    assertEquals(0, server.get("/api/kernels").body().size());
  }

  @Test
  void aSessionOnAKernelThatIsNotThereIsRefused() {
    var body = "{\"path\": \"x\", \"type\": \"notebook\", \"kernel\": {\"id\": \"nobody\"}}";
    assertEquals(404, server.post("/api/sessions", body).status());
    assertEquals(404, patch(open(), "{\"kernel\": {\"id\": \"nobody\"}}").status());
    assertEquals(404, patch("nobody", "{}").status());
  }

  @Test
  void namesMayBeAnything() {
    var hostile = "../\\u0022'; DROP TABLE kernels; --\\ud83d\\ude00";
    var made =
        server.post(
            "/api/sessions",
            "{\"path\": \"" + hostile + "\", \"name\": \"" + hostile + "\", \"type\": \"x\"}");
    assertEquals(201, made.status(), () -> made.body().toString());
    var id = made.body().path("id").asString();
    assertEquals(made.body().path("path"), server.get("/api/sessions/" + id).body().path("path"));
  }
}
