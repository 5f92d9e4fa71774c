package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Forks, checkpoints and rollbacks over HTTP, of kernels and of sessions.
@ExtendWith(LeakDetector.class)
class LiveStateRestTest {
  private static final String PUMP =
      "import threading, time; t = threading.Thread(target=time.sleep, args=(600,), daemon=True,"
          + " name='pump'); t.start()";

  private final ApiServer server = new ApiServer();
  private String id = "";

  @BeforeEach
  void make() {
    id = server.post("/sessions/demo", ApiServer.marked()).json().path("kernel_id").stringValue();
    run("demo", "x = 1");
  }

  @AfterEach
  void close() {
    server.close();
  }

  private JsonNode run(String kernel, String code) {
    return server.post("/kernels/" + kernel + "/execute", Json.text(Map.of("code", code))).json();
  }

  private String value(String kernel) {
    return run(kernel, "x").path("return_value").asString("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/kernels/demo", "/sessions/demo"})
  void aForkIsAKernelOfItsOwn(String demo) {
    var reply = server.post(demo + "/fork", "{\"as\":\"other\"}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    var fork = reply.json().at("/kernels/0");
    assertThat(fork.path("name").stringValue()).isEqualTo("other");
    assertThat(fork.path("session_name").stringValue()).isEqualTo("other");
    assertThat(fork.path("forked_from").stringValue()).isEqualTo(id);
    assertThat(reply.json().path("hazards").isEmpty()).isTrue();
    run("other", "x = 2");
    assertThat(value("other")).isEqualTo("2");
    assertThat(value("demo")).isEqualTo("1");
    assertThat(server.get("/kernels/demo").json().at("/kernel/forked_from").isNull()).isTrue();
  }

  @Test
  void severalForksAreNumberedOrNamedOrHaveNoNames() {
    assertThat(names("{\"as\":\"try\",\"count\":2}")).containsExactly("try-1", "try-2");
    assertThat(names("{\"names\":[\"a\",\"b\"]}")).containsExactly("a", "b");
    assertThat(names("{\"count\":2}")).containsExactly("null", "null");
    assertThat(names("")).containsExactly("null");
  }

  private List<String> names(String body) {
    var reply =
        body.isEmpty()
            ? server.post("/kernels/demo/fork")
            : server.post("/kernels/demo/fork", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    return reply
        .json()
        .path("kernels")
        .valueStream()
        .map(it -> it.path("name").asString("null"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          fork        | {"count":0}
          fork        | {"count":101}
          fork        | {"count":2147483648}
          fork        | {"as":""}
          fork        | {"as":1}
          fork        | {"as":"a","names":["b"]}
          fork        | {"names":[]}
          fork        | {"proceeed":true}
          promote     | {}
          promote     | {"fork":null}
          checkpoints | {"label":""}
          checkpoints | {"label":7}
          rollback    | {"too":"x"}
          best-of     | {}
          best-of     | {"codes":[]}
          best-of     | {"codes":"x"}
          best-of     | {"codes":["a","b"],"seeds":[1]}
          best-of     | {"codes":["a"],"seeds":["1"]}
          best-of     | {"codes":["a"],"seeds":[9223372036854775808]}
          best-of     | {"codes":["a"],"deadline":-1}
          best-of     | {"codes":["a"],"promot":false}
          """)
  void whatCannotBeIsRefusedAndNothingIsDone(String what, String body) {
    var reply = server.post("/kernels/demo/" + what, body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(server.get("/kernels").json().path("kernels").size()).isEqualTo(1);
    assertThat(server.get("/kernels/demo/checkpoints").body()).isEqualTo("{\"checkpoints\":[]}");
  }

  @Test
  void whoIsNotThereIsNotFound() {
    for (var what : List.of("fork", "promote", "checkpoints", "rollback", "best-of")) {
      assertThat(server.post("/kernels/nobody/" + what, "{}").header("husk-problem"))
          .isEqualTo("kernel_not_found");
      assertThat(server.post("/sessions/nobody/" + what, "{}").header("husk-problem"))
          .isEqualTo("session_not_found");
    }
    assertThat(server.post("/kernels/demo/promote", "{\"fork\":\"nobody\"}").status())
        .isEqualTo(404);
  }

  @Test
  void whatACopyWouldLackIsAConflictThatNamesIt() {
    run("demo", PUMP);
    for (var what : List.of("fork", "checkpoints")) {
      var refused = server.post("/kernels/demo/" + what, "{}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.header("husk-problem")).isEqualTo("copy_refused");
      assertThat(refused.json().path("detail").stringValue()).contains("pump");
      var taken = server.post("/kernels/demo/" + what, "{\"proceed\":true}");
      assertThat(taken.status()).isEqualTo(201);
      assertThat(taken.json().at("/hazards/0/kind").stringValue()).isEqualTo("thread");
      assertThat(taken.json().at("/hazards/0/name").stringValue()).contains("pump");
    }
    assertThat(server.post("/kernels/demo/best-of", "{\"codes\":[\"1\"]}").status()).isEqualTo(409);
  }

  @Test
  void aPromotedForkTakesThePlaceUnderTheSameId() {
    server.post("/kernels/demo/fork", "{\"as\":\"other\"}");
    run("other", "x = 2");

    var promoted = server.post("/sessions/demo/promote", "{\"fork\":\"other\"}");

    assertThat(promoted.status()).as(promoted.body()).isEqualTo(200);
    assertThat(promoted.json().path("kernel_id").stringValue()).isEqualTo(id);
    assertThat(value("demo")).isEqualTo("2");
    server.post("/sessions/stranger", ApiServer.marked());
    assertThat(server.post("/kernels/demo/promote", "{\"fork\":\"stranger\"}").status())
        .isEqualTo(422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/kernels/demo", "/sessions/demo"})
  void aKernelGoesBackToACheckpointUntilThatIsDropped(String demo) {
    var taken = server.post(demo + "/checkpoints", "{\"label\":\"a/b\"}");
    assertThat(taken.status()).as(taken.body()).isEqualTo(201);
    assertThat(taken.json().path("evicted").isEmpty()).isTrue();
    var kept = taken.json().path("checkpoint");
    assertThat(server.get(demo + "/checkpoints").json().at("/checkpoints/0")).isEqualTo(kept);
    run("demo", "x = 2");

    var back = server.post(demo + "/rollback", "{\"to\":\"a/b\"}");

    assertThat(back.status()).as(back.body()).isEqualTo(200);
    assertThat(back.json().path("checkpoint")).isEqualTo(kept);
    assertThat(back.json().at("/kernel/kernel_id").stringValue()).isEqualTo(id);
    assertThat(value("demo")).isEqualTo("1");
    assertThat(server.delete(demo + "/checkpoints/a%2Fb").body()).isEqualTo("{\"dropped\":true}");
    for (var gone :
        List.of(
            server.delete(demo + "/checkpoints/a%2Fb"),
            server.post(demo + "/rollback", "{\"to\":\"a/b\"}"),
            server.post(demo + "/rollback"))) {
      assertThat(gone.status()).isEqualTo(404);
      assertThat(gone.header("husk-problem")).isEqualTo("checkpoint_not_found");
    }
  }

  @Test
  void codeIsTakenBackAsTheRequestSays() {
    var failed =
        server.post("/kernels/demo/execute", "{\"code\":\"x = 2; 1/0\",\"rollback\":\"on_error\"}");

    assertThat(failed.json().path("status").stringValue()).isEqualTo("error");
    assertThat(failed.json().path("rolled_back").booleanValue()).isTrue();
    assertThat(value("demo")).isEqualTo("1");
  }

  @Test
  void theBestOfSeveralIsKept() {
    var body = "{\"codes\":[\"x = 5\",\"x = 1/0\",\"x = 7\"],\"score\":\"x\",\"deadline\":60}";
    var reply = server.post("/sessions/demo/best-of", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.header("husk-status")).isEqualTo("success");
    assertThat(reply.json().path("winner").intValue()).isEqualTo(2);
    assertThat(reply.json().path("promoted").booleanValue()).isTrue();
    assertThat(reply.json().at("/variants/1/result/error/ename").stringValue())
        .isEqualTo("ZeroDivisionError");
    assertThat(reply.json().at("/variants/2/score").doubleValue()).isEqualTo(7);
    assertThat(value("demo")).isEqualTo("7");
    Eventually.until(
        Duration.ofSeconds(30),
        () -> server.get("/kernels").json().path("kernels").size() == 1,
        () -> "tries are left: " + server.get("/kernels").body());
  }

  @Test
  void noneThatWorksIsAFailureAndChangesNothing() {
    var reply =
        server.post("/kernels/demo/best-of", "{\"codes\":[\"x = 2; 1/0\"],\"seeds\":[1,2]}");

    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.header("husk-status")).isEqualTo("error");
    assertThat(reply.json().path("winner").isNull()).isTrue();
    assertThat(reply.json().path("variants").size()).isEqualTo(2);
    assertThat(reply.json().at("/variants/1/seed").longValue()).isEqualTo(2);
    assertThat(value("demo")).isEqualTo("1");
  }

  @Test
  void theTreeShowsWhoCameFromWhom() {
    server.post("/kernels/demo/fork", "{\"as\":\"first\"}");
    server.post("/kernels/first/fork", "{\"as\":\"grandchild\"}");
    server.post("/kernels/demo/fork", "{\"as\":\"second\"}");

    assertThat(tree()).containsExactly("NAME", "demo", "├─ first", "│  └─ grandchild", "└─ second");
    server.delete("/kernels/demo");
    assertThat(tree()).containsExactly("NAME", "first", "└─ grandchild", "second");
  }

  private List<String> tree() {
    var text = server.send("GET", "/kernels", "", "", "Accept", "text/plain;tree=1").body();
    return text.lines().map(line -> line.split(" {2,}(?=[A-Za-z])", 2)[0]).toList();
  }

  @Test
  void aForkIsAKernelForJupyterToo() {
    server.post("/kernels/demo/fork", "{\"as\":\"other\"}");
    assertThat(server.get("/api/kernels").json().size()).isEqualTo(2);
  }
}
