package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(30)
final class ProblemsTest {
  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  @Test
  void aJsonCommandReportsInJsonOnStandardError() {
    assertThat(calls.husk("status")).isEqualTo(2);
    assertThat(calls.out()).isEmpty();
    assertThat(calls.err())
        .isEqualTo(
            """
            {
              "detail": "NAME is missing: which kernel?",
              "error": {
                "code": "usage",
                "message": "NAME is missing: which kernel?",
                "remedies": [
                  "`husk status --help` shows what there is"
                ]
              }
            }
            """);
    assertThat(calls.husk("exec", "--nmae", "x")).isEqualTo(2);
    assertThat(calls.err()).startsWith("{\n  \"detail\": ");
  }

  @Test
  void otherCommandsReportForPeopleUnlessAskedForJson() {
    assertThat(calls.husk("python", "add")).isEqualTo(2);
    assertThat(calls.err())
        .isEqualTo(
            "error: NAME is missing\n\nhint: `husk python add --help` shows what there is\n");
    assertThat(calls.husk("python", "add", "--json")).isEqualTo(2);
    assertThat(calls.err()).startsWith("{\n");
    assertThat(calls.husk("exec", "--name", "a", "--stream", "--timeout", "x", "1")).isEqualTo(2);
    assertThat(calls.err()).startsWith("error: `--timeout` is `x`");
    assertThat(calls.husk("list", "--table")).isEqualTo(4);
    assertThat(calls.err()).startsWith("error: no daemon is running, and it cannot be started");
  }

  @Test
  void theDaemonsProblemIsPassedOnWithItsExitCode() throws IOException {
    try (var _ =
        calls.daemon(
            _ ->
                FakeDaemon.answer(
                    "404 Not Found", "Husk-Problem: kernel_not_found\r\n", "{\"error\":{}}"))) {
      assertThat(calls.husk("status", "--name", "x")).isEqualTo(3);
      assertThat(calls.out()).isEmpty();
      assertThat(calls.err()).isEqualTo("{\"error\":{}}\n");
    }
  }

  @Test
  void aDeadKernelsStatusIsPrintedAndFails() throws IOException {
    try (var _ = calls.daemon(_ -> FakeDaemon.json("Husk-Alive: false\r\n", "{}"))) {
      assertThat(calls.husk("status", "--name", "x")).isEqualTo(1);
      assertThat(calls.out()).isEqualTo("{}\n");
    }
  }

  @Test
  void aProblemOfTheDaemonReadsAsItWasWritten() {
    var problem = new Problem(Problem.Code.INVALID_NAME, "bad \"é\"\n", "one", "two");
    var read = Problems.read(Problems.json(problem));
    assertThat(read.code()).isEqualTo(Problem.Code.INVALID_NAME);
    assertThat(read.text()).isEqualTo("bad \"é\"\n");
    assertThat(read.remedies()).containsExactly("one", "two");
    assertThat(Problems.read("nonsense").code()).isEqualTo(Problem.Code.INTERNAL);
  }

  @Test
  void aSettingThatIsRefusedIsReportedBeforeAnythingStarts() {
    calls.environment.put("KERNELBOX_STORE_BACKEND", "redis");
    assertThat(calls.husk("list")).isEqualTo(6);
    assertThat(calls.err()).contains("\"code\": \"invalid_setting\"").contains("`memory`");
  }

  @Test
  void aStackTraceIsShownOnlyWhenAskedFor() {
    calls.husk("list");
    assertThat(calls.err()).doesNotContain("\tat ");
    calls.environment.put("HUSK_DEBUG", "1");
    calls.husk("list");
    assertThat(calls.err()).contains("\tat husk.");
  }

  @Test
  void aReaderWhoLeavesEndsTheCommandQuietly() throws IOException {
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", "{}"))) {
      assertThat(calls.husk(failing("Broken pipe"), "list")).isEqualTo(141);
      assertThat(calls.err()).isEmpty();
      assertThat(calls.husk(failing("No space left on device"), "list")).isEqualTo(70);
      assertThat(calls.err()).contains("No space left on device");
      assertThat(calls.husk(failing("Broken pipe"), "help")).isEqualTo(141);
      assertThat(calls.husk(failing("Broken pipe"))).isEqualTo(141);
    }
  }

  @Test
  void aLostDaemonIsReported() throws IOException {
    try (var daemon = calls.daemon(_ -> new byte[0])) {
      assertThat(calls.husk("wipe")).isEqualTo(4);
      assertThat(daemon.requests).hasSize(1);
      assertThat(calls.err()).contains("the connection to the daemon was lost");
      assertThat(calls.husk("list")).isEqualTo(4);
      assertThat(daemon.requests).as("a question is asked twice").hasSize(3);
    }
  }

  @Test
  void commandsThatNeedNoDaemonStartNone() throws IOException {
    assertThat(calls.husk("list", "--names")).isZero();
    assertThat(calls.out()).isEmpty();
    assertThat(calls.husk("daemon", "status")).isEqualTo(1);
    assertThat(calls.out()).isEqualTo("no daemon is running\n");
    assertThat(calls.husk("daemon", "stop")).isZero();
    assertThat(calls.out()).isEqualTo("no daemon was running\n");
    assertThat(calls.husk("daemon", "logs")).isEqualTo(4);
    Files.writeString(calls.temp.resolve("run/daemon.log"), "it began\n");
    assertThat(calls.husk("daemon", "logs")).isZero();
    assertThat(calls.out()).isEqualTo("it began\n");
  }

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }

  private static final String EVIL = "a\u001b]0;title\u0007\u009b2J\u202eb\rc";

  @Test
  void whatASandboxSaysDoesNotMoveTheCursor() throws IOException {
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", EVIL + "\n\tlast"))) {
      assertThat(calls.husk("sandbox", "info", "x")).isZero();
      assertThat(calls.out()).isEqualTo("a?]0;title??2J?b?c\n\tlast\n");
      assertThat(calls.husk("list", "--table")).isZero();
      assertThat(calls.out()).doesNotContain("\u001b");
      assertThat(calls.husk("logs", "--name", "x")).as("a file gets it all").isZero();
      assertThat(calls.out()).contains(EVIL);
    }
    assertThat(calls.husk(EVIL)).isEqualTo(2);
    assertThat(calls.err()).contains("a?]0;title??2J?b?c");
    Files.writeString(
        calls.temp.resolve("cast"), "{\"version\":2,\"width\":\"\\u001b[2J\",\"height\":1}\n");
    assertThat(calls.husk("replay", "cast")).isZero();
    assertThat(calls.err()).contains("(?[2Jx1)");
  }
}
