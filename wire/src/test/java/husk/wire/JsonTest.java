package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {
  record Times(Instant at, Duration lasting) {}

  record Sparse(String name, List<String> items, Map<String, String> tags, int count) {}

  private static final KernelRecord KERNEL =
      new KernelRecord(
          "0123456789abcdef0123456789abcdef",
          Path.of("/run/a b/connection.json"),
          Optional.of("etl"),
          Instant.parse("2026-01-02T03:04:05.123456Z"),
          Instant.parse("2026-01-02T03:04:06Z"),
          KernelStatus.IDLE,
          Optional.empty(),
          0,
          Map.of("team", "données"),
          Optional.of(new KernelProcess(42, 4711)),
          "host",
          "husk",
          Optional.of("/usr/bin/python3"),
          Path.of("/work"),
          List.of("HOME"),
          Optional.of(6_000_000L),
          Duration.ofMillis(1500),
          Optional.empty(),
          Optional.of(
              new Death(Death.Cause.OUT_OF_MEMORY, Optional.empty(), Optional.of(9), "killed")));

  @Test
  void kernelRecordSurvivesTheRoundTrip() {
    assertThat(Json.read(Json.bytes(KERNEL), KernelRecord.class)).isEqualTo(KERNEL);
    assertThat(Json.read(Json.pretty(KERNEL), KernelRecord.class)).isEqualTo(KERNEL);
  }

  @Test
  void kernelRecordIsWrittenInSnakeCaseWithWireNames() {
    assertThat(Json.text(KERNEL))
        .startsWith("{\"kernel_id\":\"0123456789abcdef0123456789abcdef\",")
        .contains("\"connection_file\":\"/run/a b/connection.json\"")
        .contains("\"created_at\":\"2026-01-02T03:04:05.123456+00:00\"")
        .contains("\"status\":\"idle\"")
        .contains("\"session_name\":null")
        .contains("\"idle_timeout\":1.5")
        .contains("\"cause\":\"out_of_memory\"");
  }

  @Test
  void absentValuesOfAResultAreEmpty() {
    var result =
        Json.read(
            "{\"execution_id\":\"x\",\"status\":\"died\",\"output\":\"\",\"stderr\":\"\"}",
            ExecutionResult.class);
    assertThat(result.status()).isEqualTo(ResultStatus.DIED);
    assertThat(result.error()).isEmpty();
    assertThat(result.outputs()).isEmpty();
    assertThat(result.truncated()).isFalse();
  }

  @Test
  void absentListsMapsAndNumbersAreEmptyAndUnknownPropertiesIgnored() {
    assertThat(Json.read("{\"name\":\"n\",\"items\":null,\"new\":[1]}", Sparse.class))
        .isEqualTo(new Sparse("n", List.of(), Map.of(), 0));
  }

  @Test
  void absentStringIsRefusedByName() {
    assertThatThrownBy(() -> Json.read("{\"count\":1}", Sparse.class))
        .isInstanceOfSatisfying(
            Problem.class, it -> assertThat(it.code()).isEqualTo(Problem.Code.INVALID_REQUEST))
        .hasMessageContaining("name");
  }

  @Test
  void instantsAreReadWithAnyOffset() {
    var expected = Instant.parse("2026-01-02T03:04:05.5Z");
    for (var text :
        List.of(
            "2026-01-02T03:04:05.5Z",
            "2026-01-02T05:04:05.500000+02:00",
            "2026-01-02T03:04:05.5")) {
      var times = Json.read("{\"at\":\"" + text + "\",\"lasting\":0}", Times.class);
      assertThat(times.at()).as(text).isEqualTo(expected);
    }
  }

  @Test
  void durationsAreSeconds() {
    assertThat(Json.text(Duration.ofMinutes(5))).isEqualTo("300");
    assertThat(Json.text(Duration.ofMillis(-250))).isEqualTo("-0.25");
    assertThat(Json.text(Duration.ofSeconds(20).plusNanos(100_000_000))).isEqualTo("20.1");
    assertThat(Json.read("-0.25", Duration.class)).isEqualTo(Duration.ofMillis(-250));
    assertThat(Json.read("0.1", Duration.class)).isEqualTo(Duration.ofMillis(100));
    for (var hostile : List.of("1e999999999", "1e300", "\"5\"", "{}")) {
      assertThatThrownBy(() -> Json.read(hostile, Duration.class)).isInstanceOf(Problem.class);
    }
    assertThat(Json.read("1e-999999", Duration.class)).isEqualTo(Duration.ZERO);
  }

  @Test
  void enumsAreReadByTheirWireNames() {
    assertThat(Json.read("\"max_attempts_exceeded\"", ResultStatus.class))
        .isEqualTo(ResultStatus.MAX_ATTEMPTS_EXCEEDED);
    assertThat(Json.text(Problem.Code.KERNEL_NOT_FOUND)).isEqualTo("\"kernel_not_found\"");
    assertThat(Json.read("\"sh\"", Language.class)).isEqualTo(Language.BASH);
    assertThatThrownBy(() -> Json.read("\"sleeping\"", KernelStatus.class))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("sleeping");
  }

  @Test
  void aProblemWithAValueIsTheProblemItself() {
    var request = Json.text(ExecuteRequest.of("1")).replace("\"python\"", "\"cobol\"");
    assertThatThrownBy(() -> Json.read(request, ExecuteRequest.class))
        .isInstanceOfSatisfying(
            Problem.class,
            it -> assertThat(it.code()).isEqualTo(Problem.Code.LANGUAGE_UNSUPPORTED));
  }

  @Test
  void malformedJsonIsAProblemThatSaysWhere() {
    assertThatThrownBy(() -> Json.read("{\"name\":\n oops}", Sparse.class))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("line 2");
    for (var bad : List.of("", "{", "{} {}", "nul", "\"\u0001\"")) {
      assertThatThrownBy(() -> Json.tree(bad.getBytes(UTF_8))).as(bad).isInstanceOf(Problem.class);
    }
    assertThatThrownBy(() -> Json.read("null", Sparse.class)).isInstanceOf(Problem.class);
  }

  @Test
  void deepNestingIsAProblemAndNotAStackOverflow() {
    assertThat(Json.tree("[".repeat(900).concat("]".repeat(900)).getBytes(UTF_8)).isArray())
        .isTrue();
    assertThatThrownBy(() -> Json.tree("[".repeat(1_000_000).getBytes(UTF_8)))
        .isInstanceOf(Problem.class);
  }

  @Test
  void stringsLongerThanJacksonsOwnLimitAreRead() {
    var json = new byte[21_000_002];
    java.util.Arrays.fill(json, (byte) 'x');
    json[0] = json[json.length - 1] = '"';
    assertThat(Json.read(json, String.class)).hasSize(21_000_000);
  }

  @Test
  void mapsKeepTheirOrderAndHoldPlainValues() {
    var map = Json.map(Json.tree("{\"z\":1,\"a\":[true,null],\"m\":{\"x\":1.5}}".getBytes(UTF_8)));
    assertThat(map.keySet()).containsExactly("z", "a", "m");
    assertThat(map).containsEntry("z", 1).containsEntry("m", Map.of("x", 1.5));
    assertThatThrownBy(() -> Json.map(Json.tree("[]".getBytes(UTF_8)))).isInstanceOf(Problem.class);
  }

  @Test
  void halfASurrogatePairIsEscaped() {
    assertThat(new String(Json.bytes("a\ud800b"), UTF_8)).isEqualTo("\"a\\uD800b\"");
    assertThat(new String(Json.bytes("é😀"), UTF_8)).isEqualTo("\"é😀\"");
  }
}
