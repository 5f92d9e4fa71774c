package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Differences and previews over HTTP, of kernels and of sessions.
@ExtendWith(LeakDetector.class)
class PreviewRestTest {
  private static final String PUMP =
      "import threading, time; t = threading.Thread(target=time.sleep, args=(600,), daemon=True,"
          + " name='pump'); t.start()";

  private final ApiServer server = new ApiServer();

  @BeforeEach
  void make() {
    server.post("/sessions/demo", ApiServer.marked());
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

  private JsonNode preview(String code) {
    var body = Json.text(Map.of("code", code, "preview", true));
    var reply = server.post("/sessions/demo/execute", body);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/kernels/demo", "/sessions/demo"})
  void whatHasChangedIsToldOfTheLatestCheckpointOfOneByLabelAndOfAFork(String demo) {
    server.post(demo + "/checkpoints", "{\"label\":\"a/b c\"}");
    server.post(demo + "/fork", "{\"as\":\"other\"}");
    run("demo", "x = 2; y = [1, 2]");

    for (var query : List.of("", "?checkpoint=a%2Fb%20c", "?with=other")) {
      var reply = server.get(demo + "/diff" + query);
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(reply.json().at("/variables/added").toString())
          .isEqualTo(
              "[{\"name\":\"y\",\"before\":null,\"after\":{\"type\":\"list\",\"shape\":[2],"
                  + "\"size\":%d}}]"
                      .formatted(reply.json().at("/variables/added/0/after/size").longValue()));
      assertThat(reply.json().at("/variables/changed/0/name").stringValue()).isEqualTo("x");
      assertThat(reply.json().at("/variables/removed").isEmpty()).isTrue();
      assertThat(reply.json().path("files").isNull()).isTrue();
      assertThat(reply.json().path("partial").booleanValue()).isFalse();
      assertThat(reply.json().path("against").stringValue())
          .isEqualTo(query.contains("with") ? "other" : "a/b c");
    }
    assertThat(server.get("/kernels").json().path("kernels").size()).isEqualTo(2);
  }

  @Test
  void whatCannotBeComparedIsRefused() {
    assertThat(server.get("/kernels/demo/diff").header("husk-problem"))
        .isEqualTo("checkpoint_not_found");
    assertThat(server.get("/kernels/demo/diff?with=nobody").header("husk-problem"))
        .isEqualTo("kernel_not_found");
    assertThat(server.get("/kernels/demo/diff?with=demo&checkpoint=x").status()).isEqualTo(422);
    assertThat(server.get("/kernels/nobody/diff").status()).isEqualTo(404);
    assertThat(server.get("/sessions/nobody/diff").header("husk-problem"))
        .isEqualTo("session_not_found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/kernels/demo", "/sessions/demo"})
  void aPreviewIsToldThenKeptOrDiscarded(String demo) {
    var effects = preview("x = 2; y = 1").path("effects");

    assertThat(effects.path("checkpoint").stringValue()).isEqualTo("preview");
    assertThat(effects.at("/variables/added/0/name").stringValue()).isEqualTo("y");
    assertThat(effects.path("processes").isArray()).isTrue();
    assertThat(effects.path("hosts").isNull()).isTrue();
    var discarded = server.post(demo + "/preview/discard");
    assertThat(discarded.status()).as(discarded.body()).isEqualTo(200);
    assertThat(discarded.json().path("decision").stringValue()).isEqualTo("discarded");
    assertThat(discarded.json().at("/kernel/name").stringValue()).isEqualTo("demo");
    assertThat(value("demo")).isEqualTo("1");

    preview("x = 3");
    assertThat(server.post(demo + "/preview/keep", "{}").json().path("decision").stringValue())
        .isEqualTo("kept");
    assertThat(value("demo")).isEqualTo("3");
    for (var decision : List.of("keep", "discard")) {
      assertThat(server.post(demo + "/preview/" + decision).header("husk-problem"))
          .isEqualTo("checkpoint_not_found");
    }
  }

  @Test
  void aSecondPreviewIsAConflictAndARetriedOneIsRefused() {
    preview("x = 2");
    var second = server.post("/kernels/demo/execute", "{\"code\":\"x = 3\",\"preview\":true}");
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.header("husk-problem")).isEqualTo("preview_open");
    assertThat(value("demo")).isEqualTo("2");
    server.post("/kernels/demo/preview/keep");
    var retried =
        server.post("/kernels/demo/execute/retry", "{\"code\":\"x = 3\",\"preview\":true}");
    assertThat(retried.status()).as(retried.body()).isEqualTo(422);
    assertThat(server.post("/kernels/demo/preview/keep", "{\"x\":1}").status()).isEqualTo(422);
    assertThat(value("demo")).isEqualTo("2");
  }

  @Test
  void anOrdinaryResultHasNoEffects() {
    assertThat(run("demo", "1").path("effects").isNull()).isTrue();
  }

  @Test
  void whatACopyWouldLackIsThereAsData() {
    run("demo", PUMP);
    for (var what : List.of("fork", "checkpoints")) {
      var refused = server.post("/kernels/demo/" + what, "{}");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().at("/error/details/hazards").toString())
          .isEqualTo(
              "[{\"kind\":\"thread\",\"name\":\"pump\",\"fate\":\"the copy does not have it\"}]");
    }
    assertThat(server.get("/kernels/nobody").json().at("/error/details").isMissingNode()).isTrue();
  }
}
