package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Ids;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Retrying over REST, by KernelBox's route and by the one its tutorial promises.
@ExtendWith(LeakDetector.class)
class RetryRestTest {
  private static final String RETRY = "/kernels/agent/execute/retry";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ApiServer server = new ApiServer();

  @BeforeEach
  void make() {
    server.post("/sessions/agent", ApiServer.marked());
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aReplacementRunsAfterAFailure() {
    var result = retry(Map.of("code", "y + 1", "replacement_codes", List.of("y = 41\ny + 1")));
    assertThat(result.path("status").stringValue()).isEqualTo("success");
    assertThat(result.path("return_value").stringValue()).isEqualTo("42");
    assertThat(result.at("/attempts/0/error/ename").stringValue()).isEqualTo("NameError");
    assertThat(result.path("attempts").findValuesAsString("code"))
        .containsExactly("y + 1", "y = 41\ny + 1");
    assertThat(result.path("attempts").findValuesAsString("status"))
        .containsExactly("error", "success");
  }

  @Test
  void theLastReplacementIsRepeatedAndEveryAttemptCounts() {
    var result =
        retry(Map.of("code", "1/0", "max_attempts", 3, "replacement_codes", List.of("zz")));
    assertThat(result.path("status").stringValue()).isEqualTo("max_attempts_exceeded");
    assertThat(result.path("attempts").findValuesAsString("code"))
        .containsExactly("1/0", "zz", "zz");
    assertThat(result.path("attempts").findValuesAsString("attempt"))
        .containsExactly("1", "2", "3");
    var kernel = server.get("/kernels/agent").json().path("kernel");
    assertThat(kernel.path("attempt_count").intValue()).isEqualTo(3);
  }

  @Test
  void withoutReplacementsTheSameCodeIsRepeatedAsOftenAsTheSettingsSay() {
    var result = retry(Map.of("code", "1/0"));
    assertThat(result.path("attempts").size()).isEqualTo(5);
  }

  @Test
  void theTutorialsRouteMakesItsSessionAndTakesOneRepairOrSeveral() {
    server.delete("/kernels");
    var options = Map.of("env", Map.of(LeakDetector.VARIABLE, LeakDetector.marker()));
    for (var repair : List.of("z = 1\nz", List.of("z = 1\nz"))) {
      var body =
          Map.of("code", "z", "on_error_code", repair, "max_attempts", 2, "options", options);
      var reply = server.post("/sessions/fresh/execute_with_retry", Json.text(body));
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.json().path("return_value").stringValue()).isEqualTo("1");
    }
  }

  @Test
  void twoWaysToSayWhatToRunNextAreRefused() {
    var body = Map.of("code", "1", "on_error_code", "2", "replacement_codes", List.of("3"));
    assertThat(server.post(RETRY, Json.text(body)).status()).isEqualTo(422);
  }

  @Test
  void aRetryingExecutionIsCancelledAsAWhole() {
    var id = Ids.fresh();
    var body =
        Json.text(
            Map.of(
                "code",
                "import time\nwhile True: time.sleep(0.01)",
                "execution_id",
                id,
                "max_attempts",
                1000,
                "timeout",
                300));
    var reply = CompletableFuture.supplyAsync(() -> server.post(RETRY, body));
    awaitRunning(id);
    assertThat(server.get("/executions/" + id).status()).isEqualTo(202);
    assertThat(server.delete("/executions/" + id).body()).isEqualTo("{\"cancelled\":true}");
    var result = reply.join().json();
    assertThat(result.path("status").stringValue()).isEqualTo("cancelled");
    assertThat(result.path("attempts").size()).isEqualTo(1);
  }

  @Test
  void attemptsThatFailFastAreCancelledToo() {
    var id = Ids.fresh();
    var body = Json.text(Map.of("code", "1/0", "execution_id", id, "max_attempts", 1_000_000));
    var reply = CompletableFuture.supplyAsync(() -> server.post(RETRY, body));
    awaitRunning(id);
    server.delete("/executions/" + id);
    assertThat(reply.join().json().path("status").stringValue()).isEqualTo("cancelled");
  }

  @Test
  void theResultOfARetryingExecutionCanBeFetchedByItsId() {
    var id = Ids.fresh();
    var result =
        retry(Map.of("code", "q", "execution_id", id, "replacement_codes", List.of("q = 5\nq")));
    assertThat(result.path("execution_id").stringValue()).isEqualTo(id);
    assertThat(server.get("/executions/" + id + "?wait=1").json()).isEqualTo(result);
    assertThat(server.delete("/executions/" + id).body()).isEqualTo("{\"cancelled\":false}");
    var again = server.post(RETRY, Json.text(Map.of("code", "1", "execution_id", id)));
    assertThat(again.status()).isEqualTo(422);
  }

  private void awaitRunning(String id) {
    Eventually.until(
        PATIENCE,
        () ->
            server.get("/executions/" + id).status() == 202
                && server.get("/kernels/agent").json().at("/kernel/attempt_count").intValue() > 0,
        () -> "it does not begin");
  }

  private tools.jackson.databind.JsonNode retry(Map<String, Object> body) {
    var reply = server.post(RETRY, Json.text(body));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json();
  }
}
