package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The command as a process of its own.
@ExtendWith(LeakDetector.class)
@Timeout(60)
final class ProcessTest {
  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  private static List<String> command(String... words) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "husk.cli.Main"));
    command.addAll(List.of(words));
    return command;
  }

  private Process start(String... words) throws IOException {
    var builder = new ProcessBuilder(command(words));
    builder.environment().putAll(calls.environment);
    return builder.start();
  }

  private static String read(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void interruptingAnExecutionCancelsItAndPrintsWhatThereIs() throws Exception {
    var cancelled = new CountDownLatch(1);
    try (var daemon =
        calls.daemon(
            request -> {
              if (request.startsWith("DELETE /executions/")) {
                cancelled.countDown();
                return FakeDaemon.json("", "{\"cancelled\": true}");
              }
              await(cancelled);
              return FakeDaemon.json("Husk-Status: cancelled\r\n", "{\"output\": \"part\"}");
            })) {
      var process = start("exec", "--name", "a", "while True: pass");
      Eventually.until(
          Duration.ofSeconds(30), () -> !daemon.requests.isEmpty(), () -> "no request came");
      new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
      assertThat(process.waitFor()).isEqualTo(130);
      assertThat(read(process.getInputStream())).isEqualTo("{\"output\": \"part\"}\n");
      assertThat(read(process.getErrorStream())).isEmpty();
      assertThat(cancelled.getCount()).isZero();
    }
  }

  @Test
  void exitCodesReachTheShell() throws Exception {
    var process = start("status");
    process.getOutputStream().close();
    assertThat(read(process.getErrorStream())).contains("\"code\": \"usage\"");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  @Test
  void wordThatIsNotTextIsRefusedRatherThanChanged() throws Exception {
    var main = String.join(" ", command("exec", "--name", "a"));
    // A shell, because Java can neither make such a word nor pass it on.
    var builder = new ProcessBuilder("sh", "-c", "exec " + main + " \"$(printf '\\377')\"");
    builder.environment().putAll(calls.environment);
    builder.environment().put("LC_ALL", "C.UTF-8");
    var process = builder.start();
    process.getOutputStream().close();
    assertThat(read(process.getErrorStream())).contains("is not UTF-8");
    assertThat(process.waitFor()).isEqualTo(2);
  }

  @Test
  void trainingNeedsNoDaemonAndPrintsNothing() throws Exception {
    var process = start("__train");
    assertThat(read(process.getErrorStream())).isEmpty();
    assertThat(read(process.getInputStream())).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
