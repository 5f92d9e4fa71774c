package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What careless and unlucky users do.
@ExtendWith(LeakDetector.class)
final class CarelessUseTest {
  private HuskCommand husk;

  @BeforeEach
  void open() {
    husk = new HuskCommand();
  }

  @AfterEach
  void close() {
    husk.close();
  }

  @Test
  void fiftyProcessesThatAskForOneNewNameGetOneKernel() {
    var calls = new ArrayList<Process>();
    for (int i = 0; i < 50; i++) {
      calls.add(husk.start("exec", "--name", "one", "import os; os.getpid()"));
    }
    var pids = new HashSet<String>();
    for (var call : calls) {
      var outcome = HuskCommand.finish(call, "");
      assertThat(outcome.exit()).as(outcome.err()).isZero();
      pids.add(outcome.json().path("return_value").asString());
    }
    assertThat(pids).hasSize(1);
    assertThat(husk.run("list").json().path("kernels")).hasSize(1);
  }

  @Test
  void killingTheDaemonLosesNoKernelAndNoVariable() throws Exception {
    husk.run("exec", "--name", "k", "x = 42");
    kill(husk.daemonPid());
    assertThat(husk.run("exec", "--name", "k", "x").json().path("return_value").asString())
        .isEqualTo("42");
  }

  @Test
  void executionThatRunsWhileTheDaemonIsKilledIsFinishedAndItsCallerNeverNotices()
      throws Exception {
    husk.run("create", "--name", "k");
    var mark = husk.home.resolve("began");
    var call =
        husk.start(
            "exec",
            "--name",
            "k",
            "import time\nopen('"
                + mark
                + "', 'w').close()\nprint('early', flush=True)\n"
                + "time.sleep(3)\nprint('late')\n'value'");
    Eventually.until(Duration.ofSeconds(30), () -> Files.exists(mark), () -> "never began");
    kill(husk.daemonPid());
    var outcome = HuskCommand.finish(call, "");
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    assertThat(outcome.json().path("output").asString()).isEqualTo("early\nlate\n");
    assertThat(outcome.json().path("return_value").asString()).isEqualTo("'value'");
  }

  @Test
  void resultsCanBeFetchedAgain() {
    var id = husk.run("exec", "--name", "k", "6 * 7").json().path("execution_id").asString();
    assertThat(husk.run("result", "--execution", id).json().path("return_value").asString())
        .isEqualTo("42");
    assertThat(husk.run("executions", "--name", "k").json().path("executions")).hasSize(1);
  }

  @Test
  void codeComesFromAFileOrFromStandardInputToo() throws IOException {
    Files.writeString(husk.home.resolve("work/code.py"), "print('from file')");
    assertThat(husk.run("exec", "--name", "k", "-f", "code.py").json().path("output").asString())
        .isEqualTo("from file\n");
    assertThat(
            husk.runWithInput("print('from input')", "exec", "--name", "k", "-")
                .json()
                .path("output")
                .asString())
        .isEqualTo("from input\n");
  }

  @Test
  void kernelStartsInTheCallersDirectoryWithWhatItWasGiven() {
    husk.environment.put("SECRET_TOKEN", "hunter2");
    var outcome =
        husk.run(
            "exec",
            "--name",
            "k",
            "--env",
            "GIVEN=1",
            "import os\n"
                + "print(os.getcwd(), os.environ.get('GIVEN'), os.environ.get('SECRET_TOKEN'))");
    assertThat(outcome.json().path("output").asString())
        .isEqualTo(husk.home.resolve("work") + " 1 None\n");
  }

  @Test
  void streamedOutputOfAHundredMegabytesArrivesWholeWithoutFillingTheDaemonsMemory()
      throws Exception {
    husk.run("exec", "--name", "k", "1");
    long pid = husk.daemonPid();
    long before = residentKib(pid);
    var call =
        husk.start(
            "exec",
            "--name",
            "k",
            "--timeout",
            "0",
            "--stream",
            "line = 'x' * 99\nfor _ in range(1_000_000): print(line)");
    long bytes = 0;
    try (var out = call.getInputStream()) {
      var buffer = new byte[1 << 16];
      for (int n = out.read(buffer); n >= 0; n = out.read(buffer)) {
        bytes += n;
      }
    }
    assertThat(call.waitFor()).isZero();
    assertThat(bytes).isEqualTo(100_000_000);
    assertThat(residentKib(pid) - before).isLessThan(64 * 1024);
  }

  @Test
  void interruptFromAnotherProcessStopsTheCellAndKeepsTheVariables() {
    husk.run("exec", "--name", "k", "x = 1");
    var call = husk.start("exec", "--name", "k", "--timeout", "0", "while True: pass");
    Eventually.until(
        Duration.ofSeconds(30),
        () ->
            husk.run("status", "--name", "k")
                .json()
                .path("kernel")
                .path("status")
                .asString()
                .equals("busy"),
        () -> "never busy");
    assertThat(husk.run("interrupt", "--name", "k").exit()).isZero();
    var outcome = HuskCommand.finish(call, "");
    assertThat(outcome.exit()).isOne();
    assertThat(outcome.json().path("error").path("ename").asString())
        .isEqualTo("KeyboardInterrupt");
    assertThat(husk.run("exec", "--name", "k", "x").exit()).isZero();
  }

  @Test
  void socketOfTheDaemonIsItsOwnersAlone() throws IOException {
    husk.run("list");
    var socket = husk.home.resolve("run/daemon.sock");
    assertThat(Files.getPosixFilePermissions(socket)).hasSize(2);
    assertThat(Files.getPosixFilePermissions(husk.home.resolve("run"))).hasSize(3);
  }

  @Test
  void daemonStopsByItselfWhenNothingIsAlive() throws Exception {
    husk.environment.put("HUSK_DAEMON_IDLE_TIMEOUT", "1");
    husk.run("list");
    var daemon = ProcessHandle.of(husk.daemonPid()).orElseThrow();
    Eventually.until(Duration.ofSeconds(30), () -> !daemon.isAlive(), () -> "still there");
    assertThat(Files.exists(husk.home.resolve("run/daemon.sock"))).isFalse();
  }

  private static void kill(long pid) {
    var daemon = ProcessHandle.of(pid).orElseThrow();
    daemon.destroyForcibly();
    Eventually.until(Duration.ofSeconds(10), () -> !daemon.isAlive(), () -> "it lives");
  }

  private static long residentKib(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }
}
