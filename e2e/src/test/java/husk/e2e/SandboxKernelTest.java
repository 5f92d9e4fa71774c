package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Kernels as they are for somebody who sets nothing: in a sandbox of their own.
final class SandboxKernelTest extends SandboxTest {
  @BeforeEach
  void setNothing() {
    husk.environment.remove("HUSK_BACKEND");
  }

  private String value(String code) {
    var result = husk.run("exec", "--name", "demo", code);
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    return result.json().path("return_value").asString("");
  }

  @Test
  void kernelSeesItsWorkspaceAndNotTheCallersDirectory() {
    write("mine", "secret");
    assertThat(value("import os; os.getcwd(), os.listdir(), os.getuid()"))
        .isEqualTo("('/workspace', [], 1000)");
    assertThat(value("os.path.exists('" + work("mine") + "')")).isEqualTo("False");
    assertThat(husk.run("list").out()).contains("\"backend\": \"bubblewrap\"");
  }

  @Test
  void kernelAndItsWayOutSurviveTheDaemon() {
    value("x = 41");
    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();
    assertThat(value("x + 1")).isEqualTo("42");
    // The answer is the proxy's: the next daemon serves it again.
    assertThat(
            value(
                "import subprocess; 'may not reach' in subprocess.run(['curl', '-sS', '-m', '20',"
                    + " 'http://169.254.169.254/'], capture_output=True, text=True).stdout"))
        .isEqualTo("True");
  }

  @Test
  void destroyedKernelLeavesNoSandbox() {
    value("1");
    assertThat(out("sandbox", "list")).contains("kernel-");
    husk.run("destroy", "--name", "demo");
    assertThat(out("sandbox", "list")).contains("No sandboxes");
  }

  @Test
  void hostIsForThoseWhoSaySo() {
    var result = husk.run("exec", "--name", "h", "--backend", "host", "import os; os.getcwd()");
    assertThat(result.json().path("return_value").asString("")).contains(work("").toString());
  }
}
