package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TestPython;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A client that knows nothing of Husk, attached through the connection file.
@ExtendWith(LeakDetector.class)
final class JupyterConsoleTest {

  @Test
  void jupyterConsoleAttachesToARunningKernelAndSharesItsVariables() throws Exception {
    var jupyter = TestPython.find().resolveSibling("jupyter-console");
    Requirements.need(Files.isExecutable(jupyter), "jupyter-console beside the tests' Python");
    try (var husk = new HuskCommand()) {
      husk.run("exec", "--name", "k", "x = 20");
      var file = husk.run("connection-file", "--name", "k").out().strip();
      var builder =
          new ProcessBuilder(jupyter.toString(), "--existing", file, "--simple-prompt")
              .redirectErrorStream(true);
      builder.environment().put("HOME", husk.home.path().toString());
      var outcome = HuskCommand.finish(builder.start(), "x += 22\nprint('x is', x)\n");
      assertThat(outcome.out()).contains("x is 42");
      assertThat(husk.run("exec", "--name", "k", "x").json().path("return_value").asString())
          .isEqualTo("42");
    }
  }
}
