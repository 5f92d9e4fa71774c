package husk.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.KernelProcess;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TestPython;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A process whose first thread has ended looks like one that has, and runs on.
@ExtendWith(LeakDetector.class)
final class EndedFirstThreadTest {
  private static final String RUNS_ON =
      """
      import ctypes, os, threading, time
      threading.Thread(target=time.sleep, args=(1000,)).start()
      ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)
      """;

  @Test
  void itLivesAndCanBeEnded() throws IOException, InterruptedException {
    var process = new ProcessBuilder(TestPython.find().toString(), "-c", RUNS_ON).start();
    try {
      long pid = process.pid();
      Eventually.until(
          Duration.ofSeconds(30),
          () -> ProcFs.stat(pid).orElseThrow().state() == 'Z',
          () -> "its first thread goes on");
      var kernel = new KernelProcess(pid, ProcFs.stat(pid).orElseThrow().startTime());
      assertThat(ProcFs.alive(kernel)).isTrue();
      assertThat(ProcessTree.kill(kernel, "0".repeat(32))).isTrue();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ProcFs.alive(kernel)).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }
}
