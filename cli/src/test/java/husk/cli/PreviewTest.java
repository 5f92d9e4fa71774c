package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the commands about differences and previews tell the daemon, and what they refuse.
@ExtendWith(LeakDetector.class)
@Timeout(30)
final class PreviewTest {
  private Calls calls;
  private FakeDaemon daemon;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
    daemon = calls.daemon(_ -> FakeDaemon.json("", "{\"effects\": {\"checkpoint\": \"preview\"}}"));
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    calls.close();
  }

  private String sent(String... words) {
    assertThat(calls.husk(words)).as(calls.err()).isZero();
    return daemon.requests.getLast();
  }

  @Test
  void aComparisonSaysWhatWith() {
    assertThat(sent("diff", "demo")).startsWith("GET /kernels/demo/diff?pretty=1 ");
    assertThat(sent("diff", "demo", "--checkpoint", "a/b"))
        .startsWith("GET /kernels/demo/diff?checkpoint=a%2Fb&pretty=1 ");
    assertThat(sent("diff", "--name", "demo", "--with", "other"))
        .startsWith("GET /kernels/demo/diff?with=other&pretty=1 ");
  }

  @Test
  void aDecisionIsSent() {
    assertThat(sent("keep", "demo")).startsWith("POST /kernels/demo/preview/keep");
    assertThat(sent("discard", "--id", "x")).startsWith("POST /kernels/x/preview/discard");
  }

  @Test
  void withoutATerminalTheDecisionIsLeftOpenAndThatIsSaid() {
    assertThat(sent("exec", "--name", "demo", "--preview", "x = 1")).contains("\"preview\":true");
    assertThat(calls.err()).contains("husk keep demo").contains("husk discard demo");
    assertThat(calls.out()).contains("effects");
    assertThat(daemon.requests).hasSize(1);
  }

  @Test
  void anOptionDecidesAtOnce() {
    assertThat(sent("exec", "--name", "demo", "--preview", "--keep", "x = 1"))
        .startsWith("POST /kernels/demo/preview/keep");
    assertThat(daemon.requests.getFirst()).contains("\"preview\":true");
    assertThat(calls.err()).isEmpty();
    assertThat(sent("exec", "--name", "demo", "--preview", "--discard", "x = 1"))
        .contains("\"rollback\":\"always\",\"preview\":true");
  }

  @Test
  void nothingIsDecidedAboutAPreviewThatWasRefused() throws IOException {
    daemon.close();
    daemon =
        calls.daemon(
            _ ->
                FakeDaemon.answer(
                    "409 Conflict",
                    "Husk-Problem: preview_open\r\n",
                    "{\"error\": {\"code\": \"x\"}}"));
    assertThat(calls.husk("exec", "--name", "demo", "--preview", "--keep", "x = 1"))
        .isEqualTo(ExitCodes.CONFLICT);
    assertThat(daemon.requests).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "diff",
        "diff a b",
        "diff a --checkpoint x --with y",
        "keep",
        "discard a b",
        "exec --name a --keep 1",
        "exec --name a --discard 1",
        "exec --name a --preview --keep --discard 1",
        "exec --name a --preview --stream 1",
        "exec --name a --preview --discard --rollback never 1"
      })
  void whatIsMissingOrContradictsIsSaidAndNothingIsSent(String line) {
    assertThat(calls.husk(line.split(" ", -1))).isEqualTo(ExitCodes.USAGE);
    assertThat(calls.err()).isNotEmpty();
    assertThat(daemon.requests).isEmpty();
  }

  @Test
  void whatACopyWouldLackSurvivesBeingReadAndShown() {
    var json =
        """
        {"error": {"code": "copy_refused", "message": "m", "remedies": [],
                   "details": {"hazards": [{"kind": "thread", "name": "a \\"b\\"", "fate": "f"}]}}}
        """;
    var problem = Problems.read(json);
    assertThat(problem.hazards())
        .extracting("kind", "name")
        .hasToString("[(\"thread\", \"a \"b\"\")]");
    assertThat(Problems.read(Problems.json(problem)).hazards()).isEqualTo(problem.hazards());
  }
}
