package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelOptions;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels that others made: ipykernel over Unix sockets, and the same over TCP, as kernels of
/// other languages are used.
@ExtendWith(LeakDetector.class)
final class StockKernelTest {
  private CoreHost host;

  @BeforeEach
  void open() throws Exception {
    host = new CoreHost();
    var prefix = TestPython.find().resolve("../..").normalize();
    Requirements.need(
        Files.exists(prefix.resolve("share/jupyter/kernels/python3/kernel.json")),
        "ipykernel in " + prefix);
    var jupyter = host.home.path().resolve("jupyter");
    var overTcp = jupyter.resolve("kernels/overtcp");
    Files.createDirectories(overTcp);
    // Its command does not name ipykernel, so that Husk cannot know it would speak over ipc too.
    var script =
        Files.writeString(
            overTcp.resolve("launch.sh"),
            "exec " + prefix + "/bin/python -m ipykernel_launcher -f \"$1\"\n");
    Files.writeString(
        overTcp.resolve("kernel.json"),
        """
        {"argv": ["/bin/sh", "%s", "{connection_file}"], "display_name": "tcp",
         "language": "python", "env": {"FROM_SPEC": "1"}}
        """
            .formatted(script));
    host.variables.put("JUPYTER_PATH", prefix.resolve("share/jupyter") + ":" + jupyter);
  }

  @AfterEach
  void close() {
    host.close();
  }

  private ExecutionResult run(String kernel, ExecuteRequest request) {
    return host.core.execute(
        kernel, request, Optional.of(options(kernel)), host.caller(), ExecutionEvent.Listener.NONE);
  }

  private ExecutionResult run(String kernel, String code) {
    return run(kernel, ExecuteRequest.of(code));
  }

  private KernelOptions options(String kernel) {
    return host.options().withKernel(kernel);
  }

  @Test
  void ipykernelRunsCodeInterruptsAtTheTimeoutAndReportsItsDeath() {
    assertThat(run("python3", "print('hi')\n6 * 7").returnValue()).contains("42");
    assertThat(run("python3", "get_ipython().__class__.__name__").returnValue())
        .contains("'ZMQInteractiveShell'");
    run("python3", "kept = 1");
    var late =
        run(
            "python3",
            ExecuteRequest.of("import time\ntime.sleep(600)").within(Duration.ofSeconds(1)));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(run("python3", "kept").returnValue()).contains("1");
    var died = run("python3", "import os\nos._exit(3)");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.death().orElseThrow().exitCode()).contains(3);
    assertThat(run("python3", "1").stateLost()).isTrue();
  }

  @Test
  void persistentShellIsBroughtIntoAStockKernel() {
    run("python3", ExecuteRequest.of("cd /usr; x=1").in(Language.BASH));
    var result = run("python3", ExecuteRequest.of("pwd; echo $x; (exit 4)").in(Language.BASH));
    assertThat(result.output()).isEqualTo("/usr\n1\n");
    assertThat(result.exitCode()).contains(4);
  }

  @Test
  void kernelThatOnlySpeaksTcpIsReachedOverLoopbackAndGetsItsSpecsEnvironment() throws Exception {
    assertThat(run("overtcp", "import os\nos.environ['FROM_SPEC']").returnValue()).contains("'1'");
    var record = host.core.require("overtcp");
    assertThat(Files.readString(record.connectionFile())).contains("\"tcp\"").contains("127.0.0.1");
  }

  @Test
  void unknownKernelspecIsRefusedWithTheNamesThereAre() {
    assertThatThrownBy(() -> host.core.getOrCreate("k", options("pyhton3"), host.caller()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.KERNELSPEC_NOT_FOUND);
              assertThat(problem.remedies().getFirst()).contains("husk", "python3", "overtcp");
            });
    assertThat(host.core.list()).isEmpty();
  }

  @Test
  void kernelWhoseCommandIsMissingIsReportedAndLeavesNothingBehind() throws Exception {
    var folder = Path.of(host.home.path().toString(), "jupyter/kernels/broken");
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("kernel.json"),
        "{\"argv\": [\"/no/such/program\", \"{connection_file}\"], \"language\": \"x\"}");
    assertThatThrownBy(() -> host.core.getOrCreate("k", options("broken"), host.caller()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.KERNEL_START_FAILED));
    assertThat(host.core.list()).isEmpty();
  }
}
