package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the commands about live state tell the daemon, and what they refuse.
@ExtendWith(LeakDetector.class)
@Timeout(30)
final class LiveStateTest {
  private Calls calls;
  private FakeDaemon daemon;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
    daemon = calls.daemon(_ -> FakeDaemon.json("", "{\"a\": 1}"));
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
  void aForkIsToldItsNameAndHowManyAreWanted() {
    assertThat(sent("fork", "demo", "--as", "try", "--count", "3", "--proceed"))
        .contains("{\"as\":\"try\",\"count\":3,\"proceed\":true,\"client\":");
    assertThat(sent("fork", "demo")).contains("{\"proceed\":false,\"client\":");
  }

  @Test
  void theTriesAreFilesThenCodes() throws IOException {
    Files.writeString(calls.temp.resolve("one.py"), "x = 1");

    assertThat(
            sent(
                "best-of",
                "demo",
                "one.py",
                "--code",
                "x = 2",
                "--code",
                "x = 3",
                "--seeds",
                "1, -2,3000000000",
                "--score",
                "x",
                "--deadline",
                "2.5",
                "--no-promote"))
        .contains(
            "{\"codes\":[\"x = 1\",\"x = 2\",\"x = 3\"],\"seeds\":[1,-2,3000000000],"
                + "\"score\":\"x\",\"deadline\":2.5,\"promote\":false,\"proceed\":false,");
    assertThat(sent("best-of", "--name", "demo", "one.py"))
        .contains("{\"codes\":[\"x = 1\"],\"promote\":true,");
  }

  @Test
  void whenToRollBackIsPassedOn() {
    assertThat(sent("exec", "--name", "demo", "--rollback", "on_error", "1/0"))
        .contains("\"rollback\":\"on_error\"");
    assertThat(sent("rollback", "demo", "--to", "clean")).contains("{\"to\":\"clean\",");
    assertThat(sent("rollback", "demo")).contains("{\"client\":");
  }

  @Test
  void noTryThatSucceededIsAFailure() throws IOException {
    daemon.close();
    daemon = calls.daemon(_ -> FakeDaemon.json("Husk-Status: error\r\n", "{\"winner\": null}"));
    assertThat(calls.husk("best-of", "demo", "--code", "1/0")).isEqualTo(ExitCodes.FAILED);
    assertThat(calls.out()).contains("winner");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fork",
        "fork a b",
        "fork a --name b",
        "fork a --count x",
        "promote a",
        "promote a b c",
        "checkpoint",
        "checkpoints a b",
        "checkpoint-drop a",
        "rollback",
        "best-of a",
        "best-of a --code 1 --seeds 1,x",
        "best-of a --code 1 --seeds 1,"
      })
  void whatIsMissingOrTooMuchIsSaidAndNothingIsSent(String line) {
    assertThat(calls.husk(line.split(" ", -1))).isEqualTo(ExitCodes.USAGE);
    assertThat(calls.err()).isNotEmpty();
    assertThat(daemon.requests).isEmpty();
  }
}
