package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.Language;
import husk.model.Problem;
import husk.model.ResultStatus;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TestPython;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels that others made, in sandboxes.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedStockKernelTest {
  private CoreHost host;

  @BeforeEach
  void open() throws Exception {
    host = new CoreHost();
    host.variables.put("HUSK_BACKEND", "bubblewrap");
    var prefix = TestPython.find().resolve("../..").normalize();
    Requirements.need(
        Files.exists(prefix.resolve("share/jupyter/kernels/python3/kernel.json")),
        "ipykernel in " + prefix);
    var script = "exec " + prefix + "/bin/python -m ipykernel_launcher -f \"$1\"\n";
    var scripted =
        spec("scripted", "[\"/bin/sh\", \"{resource_dir}/launch.sh\", \"{connection_file}\"]");
    Files.writeString(scripted.resolve("launch.sh"), script);
    host.variables.put(
        "JUPYTER_PATH",
        prefix.resolve("share/jupyter") + ":" + host.home.path().resolve("jupyter"));
  }

  private Path spec(String name, String argv) throws IOException {
    var folder = host.home.path().resolve("jupyter/kernels").resolve(name);
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("kernel.json"),
        """
        {"argv": %s, "display_name": "x", "language": "python", "env": {"FROM_SPEC": "1"}}
        """
            .formatted(argv));
    return folder;
  }

  @AfterEach
  void close() {
    host.close();
  }

  private ExecutionResult run(String kernel, ExecuteRequest request) {
    return run(kernel, request, options(kernel));
  }

  private ExecutionResult run(String name, ExecuteRequest request, KernelOptions options) {
    return host.core.execute(
        name, request, Optional.of(options), host.caller(), ExecutionEvent.Listener.NONE);
  }

  private ExecutionResult run(String kernel, String code) {
    return run(kernel, ExecuteRequest.of(code));
  }

  private KernelOptions options(String kernel) {
    return host.options().withKernel(kernel);
  }

  @Test
  void ipykernelLivesBehindWalls() {
    assertThat(run("python3", "get_ipython().__class__.__name__").returnValue())
        .contains("'ZMQInteractiveShell'");
    assertThat(run("python3", "import os; os.getcwd(), os.getuid()").returnValue())
        .contains("('/workspace', 1000)");
    assertThat(run("python3", "os.path.exists('%s')".formatted(host.places.home())).returnValue())
        .contains("False");
    assertThat(run("python3", "open('/proc/self/status').read().split('Seccomp:')[1][:3].strip()"))
        .satisfies(result -> assertThat(result.returnValue()).contains("'2'"));
    assertThat(host.core.require("python3").backend()).isEqualTo("bubblewrap");
  }

  @Test
  void ipykernelIsInterruptedAtTheTimeoutRestartsAndReportsItsDeath() {
    run("python3", "kept = 1");
    var late =
        run(
            "python3",
            ExecuteRequest.of("import time\ntime.sleep(600)").within(Duration.ofSeconds(2)));
    assertThat(late.status()).isEqualTo(ResultStatus.TIMEOUT);
    assertThat(run("python3", "kept").returnValue()).contains("1");
    host.core.restart("python3");
    assertThat(run("python3", "kept").status()).isEqualTo(ResultStatus.ERROR);
    run("python3", "open('/workspace/file', 'w').write('x')");
    var died = run("python3", "import os\nos._exit(3)");
    assertThat(died.status()).isEqualTo(ResultStatus.DIED);
    assertThat(died.death().orElseThrow().exitCode()).contains(3);
    var anew = run("python3", "open('/workspace/file').read()");
    assertThat(anew.stateLost()).isTrue();
    assertThat(anew.returnValue()).contains("'x'");
  }

  @Test
  void kernelThatOnlySpeaksTcpIsReachedThroughItsSandbox() throws Exception {
    assertThat(run("scripted", "import os\nos.environ['FROM_SPEC']").returnValue()).contains("'1'");
    var record = host.core.require("scripted");
    assertThat(Files.readString(record.connectionFile())).contains("\"ipc\"");
  }

  @Test
  void persistentShellIsBroughtIntoAStockKernelBehindWalls() {
    run("python3", ExecuteRequest.of("cd /usr; x=1").in(Language.BASH));
    var result = run("python3", ExecuteRequest.of("pwd; echo $x; (exit 4)").in(Language.BASH));
    assertThat(result.output()).isEqualTo("/usr\n1\n");
    assertThat(result.exitCode()).contains(4);
  }

  @Test
  void anotherProcessFindsTheWayInAgain() {
    run("python3", "kept = 41");
    host.core.close();
    host.core = host.another();
    assertThat(run("python3", "kept + 1").returnValue()).contains("42");
  }

  @Test
  void stockKernelSharesASandbox() {
    host.core.createSandbox(SandboxRequest.named("shared"), host.caller());
    try {
      var options =
          options("python3")
              .at(new KernelPlace(Optional.empty(), Optional.of("shared"), Optional.empty()));
      run("one", ExecuteRequest.of("open('/workspace/note', 'w').write('hi')"), options);
      assertThat(
              run("two", ExecuteRequest.of("open('/workspace/note').read()"), options)
                  .returnValue())
          .contains("'hi'");
    } finally {
      host.core.destroyAll();
      host.core.sandboxes().remove("shared");
    }
  }

  @Test
  void kernelWhoseProgramIsNotInsideIsReportedWithTheWayOut() throws Exception {
    spec("broken", "[\"/no/such/program\", \"{connection_file}\"]");
    assertThatThrownBy(() -> host.core.getOrCreate("k", options("broken"), host.caller()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.KERNEL_START_FAILED));
    assertThat(host.core.list()).isEmpty();
    assertThat(host.core.sandboxes().list(java.util.Map.of())).isEmpty();
  }

  @Test
  void kernelThatEndsAtOnceIsReportedWithWhatItSaid() throws Exception {
    spec("hasty", "[\"/bin/sh\", \"-c\", \"echo no such language >&2; exit 7\"]");
    assertThatThrownBy(() -> host.core.getOrCreate("k", options("hasty"), host.caller()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.getMessage()).contains("no such language");
              assertThat(problem.remedies()).anyMatch(text -> text.contains("--backend host"));
            });
  }
}
