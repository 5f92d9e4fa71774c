package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.Language;
import husk.model.ResultStatus;
import husk.testkit.LeakDetector;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class ShellTest {
  private CoreHost host;

  @BeforeEach
  void open() {
    host = new CoreHost();
  }

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void directoryVariablesAndFunctionsSurviveBetweenCalls() {
    host.bash("k", "cd /usr; word=kept; greet() { echo \"hi $1\"; }");
    assertThat(host.bash("k", "pwd; echo $word; greet you").output())
        .isEqualTo("/usr\nkept\nhi you\n");
  }

  @Test
  void nonZeroExitIsAnErrorWithItsOutputAndExitCodeKept() {
    var result = host.bash("k", "echo before; echo problem >&2; false; (exit 3)");
    assertThat(result.status()).isEqualTo(ResultStatus.ERROR);
    assertThat(result.exitCode()).contains(3);
    assertThat(result.output()).isEqualTo("before\n");
    assertThat(result.stderr()).isEqualTo("problem\n");
    assertThat(host.bash("k", "true").exitCode()).contains(0);
  }

  @Test
  void shellRunsInTheKernelsDirectoryAndEnvironment() {
    host.run("k", "import os\nos.environ['FROM_PYTHON'] = 'yes'\nos.chdir('/var')");
    assertThat(host.bash("k", "echo $PWD $FROM_PYTHON").output()).isEqualTo("/var yes\n");
  }

  @Test
  void timeoutInterruptsTheCommandAndKeepsTheShellsVariables() {
    host.bash("k", "kept=1");
    var late =
        host.run(
            "k",
            ExecuteRequest.of("echo started; sleep 600")
                .in(Language.BASH)
                .within(Duration.ofMillis(700)));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(late.output()).isEqualTo("started\n");
    assertThat(host.bash("k", "echo $kept").output()).isEqualTo("1\n");
  }

  @Test
  void oneShotStartsFromNothing() {
    host.bash("k", "word=kept");
    var request = ExecuteRequest.of("echo [$word]").in(Language.BASH).asOneShot();
    assertThat(host.run("k", request).output()).isEqualTo("[]\n");
  }

  @Test
  void emptyCommandSucceeds() {
    assertThat(host.bash("k", "").status()).isEqualTo(ResultStatus.SUCCESS);
  }
}
