package husk.cli.people;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import org.junit.jupiter.api.Test;

/// Answers of the daemon as people read them.
final class ViewsTest {
  @Test
  void kernelsStandInATableWithAgesInWords() {
    assertThat(
            Kernels.list(
                """
                {"kernels": [
                  {"name": "a", "status": "idle", "kernel": "husk", "memory": 31383552,
                   "age_seconds": 3725.2, "kernel_id": "daa4"},
                  {"name": "longer", "status": "dead", "kernel": "husk", "memory": null,
                   "age_seconds": 7, "kernel_id": "3c39"}]}
                """))
        .isEqualTo(
            """
            NAME    STATUS  KERNEL  MEMORY  AGE        ID
            a       idle    husk    29 MiB  1 h 2 min  daa4
            longer  dead    husk    -       7 s        3c39
            """);
  }

  @Test
  void noKernelsSayHowOneIsMade() {
    assertThat(Kernels.list("{\"kernels\": []}")).contains("husk exec --name");
  }

  @Test
  void statusTellsADeadKernelFromOneThatLives() {
    String kernel = "\"kernel\": {\"name\": \"a\", \"status\": \"idle\", \"idle_timeout\": 0}";
    assertThat(Kernels.status("{\"alive\": true, \"responsive\": true, " + kernel + "}"))
        .startsWith("Kernel 'a': idle\n")
        .contains("for ever");
    assertThat(Kernels.status("{\"alive\": false, \"responsive\": false, " + kernel + "}"))
        .startsWith("Kernel 'a': dead\n");
  }

  @Test
  void differencesAreOneLineEach() {
    assertThat(
            Differences.of(
                """
                {"against": "a", "partial": false,
                 "files": {"added": ["/workspace/f"], "changed": [], "deleted": ["/workspace/g"]},
                 "variables": {"removed": [], "changed": [],
                   "added": [{"name": "y", "before": null,
                              "after": {"shape": [2], "size": 72, "type": "list"}}]}}
                """))
        .isEqualTo(
            """
            Against a:
              + y: list [2]
              + file /workspace/f
              - file /workspace/g
            """);
    assertThat(Differences.of("{\"against\": \"a\"}")).isEqualTo("Against a: no changes\n");
  }

  @Test
  void theWinnerIsMarked() {
    assertThat(
            Executions.bestOf(
                """
                {"hazards": [], "promoted": true, "winner": 1, "variants": [
                  {"code": "a=1", "index": 0, "result": {"status": "error"}, "score": null},
                  {"code": "a=2\\nb", "index": 1, "result": {"status": "success"}, "score": 2.0}]}
                """))
        .contains("*  1        success  2.0    a=2\n")
        .contains("   0        error    -      a=1\n")
        .endsWith("Variant 1 won, and the kernel is as it left it.\n");
  }

  @Test
  void resultIsOutputThenValueAndAFailureSaysItsStatus() {
    assertThat(
            Executions.result(
                "{\"status\": \"success\", \"output\": \"hi\", \"return_value\": \"42\"}"))
        .isEqualTo("hi\n42\n");
    assertThat(
            Executions.result(
                "{\"status\": \"error\", \"error\": {\"traceback\": [\"Line\", \"E: why\"]}}"))
        .isEqualTo("Line\nE: why\n(error)\n");
  }

  @Test
  void checkpointsSayHowLongAgoTheyWereMade() {
    var now = OffsetDateTime.parse("2026-01-01T12:00:00+00:00");
    assertThat(Spans.ago("2026-01-01T11:58:55+00:00", now)).isEqualTo("1 min 5 s ago");
    assertThat(Spans.ago("-", now)).isEqualTo("-");
    assertThat(Spans.between("2026-01-01T11:58:55Z", "2026-01-01T11:58:55.007Z")).isEqualTo("7 ms");
    assertThat(
            Checkpoints.made(
                "{\"checkpoint\": {\"id\": \"f2\", \"label\": \"a\"}, \"evicted\": [\"e\"],"
                    + " \"hazards\": [{\"kind\": \"thread\", \"name\": \"t\", \"fate\":"
                    + " \"gone\"}]}"))
        .isEqualTo(
            """
            Checkpoint 'a' (f2) made.
            dropped for it: e
            not copied: thread t: gone
            """);
  }
}
