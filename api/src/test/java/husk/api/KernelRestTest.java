package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels and sessions over KernelBox's REST API.
@ExtendWith(LeakDetector.class)
class KernelRestTest {
  private static final List<String> KERNELBOX =
      List.of(
          "kernel_id",
          "connection_file",
          "name",
          "created_at",
          "last_used_at",
          "status",
          "session_name",
          "attempt_count",
          "tags",
          "age_seconds");

  private final ApiServer server = new ApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aKernelIsCreatedListedLookedAtAndDestroyed() {
    var created =
        server.post("/kernels", ApiServer.marked("\"name\":\"demo\"", "\"tags\":{\"a\":\"b\"}"));
    assertThat(created.status()).isEqualTo(201);
    assertThat(List.copyOf(created.json().propertyNames()).subList(0, 10))
        .containsExactlyElementsOf(KERNELBOX);
    assertThat(created.json().at("/tags/a").stringValue()).isEqualTo("b");

    assertThat(server.get("/kernels").json().at("/kernels/0/name").stringValue()).isEqualTo("demo");
    var refreshed = server.get("/kernels?refresh=true").json().at("/kernels/0");
    assertThat(refreshed.path("responsive").booleanValue()).isTrue();

    var id = created.json().path("kernel_id").stringValue();
    assertThat(server.get("/kernels/" + id).json().path("alive").booleanValue()).isTrue();
    assertThat(server.get("/kernels/demo").json().at("/kernel/kernel_id").stringValue())
        .isEqualTo(id);

    var destroyed = server.delete("/kernels/demo");
    assertThat(destroyed.status()).isEqualTo(200);
    assertThat(destroyed.body()).isEqualTo("{\"destroyed\":true}");
    assertThat(server.get("/kernels").body()).isEqualTo("{\"kernels\":[]}");
  }

  @Test
  void aTakenNameIsAConflict() {
    server.post("/kernels", ApiServer.marked("\"name\":\"demo\""));
    var reply = server.post("/kernels", ApiServer.marked("\"name\":\"demo\""));
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.json().path("detail").stringValue())
        .isEqualTo("Kernel name already exists: demo");
  }

  @Test
  void anUnknownKernelIsNamed() {
    for (var reply :
        List.of(
            server.get("/kernels/a%20b"),
            server.delete("/kernels/a%20b"),
            server.post("/kernels/a%20b/restart"),
            server.post("/kernels/a%20b/interrupt"),
            server.get("/kernels/a%20b/log"),
            server.post("/kernels/a%20b/execute", "{\"code\":\"1\"}"),
            server.post("/kernels/a%20b/execute/retry", "{\"code\":\"1\"}"))) {
      assertThat(reply.status()).isEqualTo(404);
      assertThat(reply.json().path("detail").stringValue()).isEqualTo("Unknown kernel: a b");
      assertThat(reply.header("husk-problem")).isEqualTo("kernel_not_found");
    }
  }

  @Test
  void aSessionIsMadeOnceAndRemembers() {
    var first = server.post("/sessions/agent", ApiServer.marked("\"tags\":{\"task\":\"eda\"}"));
    assertThat(first.status()).isEqualTo(200);
    var again = server.post("/sessions/agent");
    assertThat(again.json().path("kernel_id")).isEqualTo(first.json().path("kernel_id"));
    assertThat(again.json().at("/tags/task").stringValue()).isEqualTo("eda");
    assertThat(again.json().path("session_name").stringValue()).isEqualTo("agent");

    server.post("/sessions/agent/execute", "{\"code\":\"x = 41\"}");
    var result = server.post("/sessions/agent/execute", "{\"code\":\"x + 1\"}");
    assertThat(result.json().path("return_value").stringValue()).isEqualTo("42");
    assertThat(result.header("husk-status")).isEqualTo("success");
  }

  @Test
  void sessionsAreListedRestartedInterruptedAndDestroyed() {
    server.post("/kernels", ApiServer.marked());
    server.post("/sessions/agent", ApiServer.marked());
    var listed = server.get("/sessions").json().path("sessions");
    assertThat(listed.findValuesAsString("session_name")).containsExactly("agent");
    assertThat(server.get("/sessions/agent").json().path("alive").booleanValue()).isTrue();

    server.post("/sessions/agent/execute", "{\"code\":\"x = 1\"}");
    assertThat(server.post("/sessions/agent/interrupt").body()).isEqualTo("{\"interrupted\":true}");
    assertThat(
            server.post("/sessions/agent/execute", "{\"code\":\"x\"}").json().path("return_value"))
        .isEqualTo(Json.MAPPER.valueToTree("1"));
    var restarted = server.post("/sessions/agent/restart");
    assertThat(restarted.status()).isEqualTo(200);
    assertThat(server.post("/sessions/agent/execute", "{\"code\":\"x\"}").json().at("/error/ename"))
        .isEqualTo(Json.MAPPER.valueToTree("NameError"));

    assertThat(server.delete("/sessions/agent").body()).isEqualTo("{\"destroyed\":true}");
    var gone = server.get("/sessions/agent");
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.json().path("detail").stringValue()).isEqualTo("Unknown session: agent");
    assertThat(server.delete("/sessions/agent").status()).isEqualTo(404);
    assertThat(server.post("/sessions/agent/interrupt").status()).isEqualTo(404);
    assertThat(server.post("/sessions/agent/restart").status()).isEqualTo(404);
  }

  @Test
  void aKernelIsMadeAsItWasAskedFor() {
    var options =
        Json.text(
            Map.of(
                "cwd",
                "/",
                "env",
                Map.of("STAGE", "test", LeakDetector.VARIABLE, LeakDetector.marker()),
                "kernelspec",
                "husk",
                "startup_code",
                "ready = 1",
                "idle_timeout",
                "90",
                "tags",
                Map.of("a", "b")));
    var kernel = server.post("/sessions/made", options).json();
    assertThat(kernel.path("cwd").stringValue()).isEqualTo("/");
    assertThat(kernel.path("kernel").stringValue()).isEqualTo("husk");
    assertThat(kernel.path("idle_timeout").intValue()).isEqualTo(90);
    var code = "import os; os.getcwd(), os.environ['STAGE'], ready";
    var result = server.post("/sessions/made/execute", Json.text(Map.of("code", code)));
    assertThat(result.json().path("return_value").stringValue()).isEqualTo("('/', 'test', 1)");
  }

  @Test
  void anExecutionMakesItsSessionAsItsOptionsSay() {
    var body =
        Json.text(
            Map.of(
                "code",
                "import os; os.getcwd()",
                "options",
                Map.of("cwd", "/", "env", Map.of(LeakDetector.VARIABLE, LeakDetector.marker()))));
    var result = server.post("/sessions/new/execute", body);
    assertThat(result.json().path("return_value").stringValue()).isEqualTo("'/'");
  }

  @Test
  void anUnknownKernelspecOrDirectoryIsRefusedAndNothingIsMade() {
    var unknown = server.post("/kernels", "{\"name\":\"n\",\"kernel\":\"cobol\"}");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.header("husk-problem")).isEqualTo("kernelspec_not_found");
    var nowhere = server.post("/sessions/n", "{\"cwd\":\"/nowhere/at/all\"}");
    assertThat(nowhere.status()).isEqualTo(422);
    assertThat(nowhere.json().path("detail").stringValue()).contains("/nowhere/at/all");
    assertThat(server.get("/kernels").body()).isEqualTo("{\"kernels\":[]}");
  }

  @Test
  void failuresAndTimeoutsOfCodeAreAnswersWith200() {
    server.post("/sessions/agent", ApiServer.marked());
    var failed = server.post("/sessions/agent/execute", "{\"code\":\"1/0\"}");
    assertThat(failed.status()).isEqualTo(200);
    assertThat(failed.json().at("/error/ename").stringValue()).isEqualTo("ZeroDivisionError");
    var late =
        server.post(
            "/sessions/agent/execute",
            "{\"code\":\"print('begun', flush=True)\\nwhile True: pass\",\"timeout\":0.5}");
    assertThat(late.status()).isEqualTo(200);
    assertThat(late.json().path("status").stringValue()).isEqualTo("timeout");
    assertThat(late.json().path("output").stringValue()).isEqualTo("begun\n");
  }

  @Test
  void bashGoesByAllItsNames() {
    server.post("/sessions/agent", ApiServer.marked());
    for (var language : List.of("bash", "sh", "shell")) {
      var body = Json.text(Map.of("code", "echo $((40+2))", "language", language));
      assertThat(server.post("/sessions/agent/execute", body).json().path("output").stringValue())
          .isEqualTo("42\n");
    }
  }

  @Test
  void namesMayHoldAnythingAndReachNoPath() {
    for (var name :
        List.of("a%2Fb", "..%2F..%2Fetc", "%E2%98%83", "a+b", "%3Cscript%3E", "a%3Fb%23c", "%25")) {
      var made = server.post("/sessions/" + name, ApiServer.marked());
      assertThat(made.status()).as(name + made.body()).isEqualTo(200);
      var decoded =
          java.net.URLDecoder.decode(
              name.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8);
      assertThat(made.json().path("name").stringValue()).isEqualTo(decoded);
      assertThat(Path.of(made.json().path("connection_file").stringValue()))
          .startsWith(server.directory());
      assertThat(server.delete("/sessions/" + name).status()).isEqualTo(200);
    }
  }

  @Test
  void namesThatCannotBeAreRefused() {
    for (var name : List.of("%00", "a%0Ab", "%20", "x".repeat(300), "%C3%28", "%ED%A0%80")) {
      var reply = server.post("/sessions/" + name, ApiServer.marked());
      assertThat(reply.status()).as(name + reply.body()).isEqualTo(422);
      assertThat(reply.header("husk-problem")).isEqualTo("invalid_name");
    }
  }

  @Test
  void everyKernelIsWiped() {
    server.post("/sessions/one", ApiServer.marked());
    server.post("/sessions/two", ApiServer.marked());
    assertThat(server.delete("/kernels").json().path("destroyed").size()).isEqualTo(2);
    assertThat(server.get("/sessions").body()).isEqualTo("{\"sessions\":[]}");
  }

  @Test
  void kernelIsFoundByItsIdAsJupyterSpellsIt() {
    var made = server.post("/api/kernels", "{}").json();
    var dashed = made.path("id").asString();
    assertThat(dashed).contains("-");
    assertThat(server.get("/kernels/" + dashed).status()).isEqualTo(200);
    assertThat(server.post("/kernels/" + dashed + "/execute", "{\"code\":\"1\"}").status())
        .isEqualTo(200);
    assertThat(server.delete("/kernels/" + dashed).status()).isEqualTo(200);
  }
}
