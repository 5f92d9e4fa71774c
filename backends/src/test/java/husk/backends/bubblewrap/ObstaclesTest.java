package husk.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.Problem;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What keeps a machine from building walls is named, with what to do about it.
final class ObstaclesTest {
  private static void assertHelpful(String said) {
    var problem = Obstacles.explain(said);
    assertThat(problem.code()).as(said).isEqualTo(Problem.Code.ISOLATION_UNAVAILABLE);
    assertThat(problem.text()).contains(said);
    assertThat(problem.remedies()).anySatisfy(it -> assertThat(it).contains("sudo sysctl -w"));
    assertThat(problem.remedies()).anySatisfy(it -> assertThat(it).contains("--backend host"));
  }

  @Test
  void whatBubblewrapSaysWhereNamespacesAreUsedUpIsUnderstood()
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                "unshare",
                "-Ur",
                "sh",
                "-c",
                "echo 0 > /proc/sys/user/max_user_namespaces"
                    + " && exec bwrap --unshare-user --ro-bind / / true")
            .redirectErrorStream(true)
            .start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).isNotZero();
    Requirements.need(said.startsWith("bwrap:"), "user namespaces to forbid them in: " + said);
    assertHelpful(said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bwrap: No permissions to create new namespace, likely because the kernel does not allow"
            + " it",
        "bwrap: Creating new namespace failed: Operation not permitted",
        "bwrap: setting up uid map: Permission denied"
      })
  void otherWaysOfForbiddingItAreUnderstood(String said) {
    assertHelpful(said);
  }

  @Test
  void whatIsNotUnderstoodIsPassedOn() {
    var problem = Obstacles.explain("bwrap: Can't find source path /none");
    assertThat(problem.code()).isEqualTo(Problem.Code.SANDBOX_FAILED);
    assertThat(problem.text()).contains("/none");
  }
}
