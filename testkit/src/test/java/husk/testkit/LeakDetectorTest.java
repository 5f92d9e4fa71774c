package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/// Runs small test classes that leak, and reads what the detector says about them.
class LeakDetectorTest {
  private static final List<AutoCloseable> LEFT = new ArrayList<>();

  @AfterEach
  void tidy() throws Exception {
    for (var left : LEFT) {
      left.close();
    }
    LEFT.clear();
  }

  @Test
  void leakedChildIsReportedWithItsCommandLine() {
    assertThat(reportOf(LeaksAChild.class).orElseThrow())
        .contains("left behind")
        .contains("process ")
        .contains("sleep 7654");
  }

  @Test
  void daemonThatLeftTheFamilyIsReportedByItsMarker() {
    assertThat(reportOf(LeaksADaemon.class).orElseThrow()).contains("sleep 7653");
  }

  @Test
  void daemonWithAnotherJvmsMarkerIsNotReported() {
    assertThat(reportOf(StartsAStranger.class)).isEmpty();
  }

  @Test
  void leakedFileIsReported() {
    assertThat(reportOf(LeaksAFile.class).orElseThrow()).contains("file /tmp/husk-leaked-");
  }

  @Test
  void homeThatWasNotClosedIsReported() {
    assertThat(reportOf(LeaksAHome.class).orElseThrow()).contains("file /tmp/" + TempHome.PREFIX);
  }

  @Test
  void leakedSocketIsReportedAlthoughItsFileIsGone() {
    assertThat(reportOf(LeaksASocket.class).orElseThrow())
        .contains("socket /tmp/" + TempHome.PREFIX)
        .contains("/left.sock");
  }

  @Test
  void leakedCgroupIsReported() {
    Requirements.need(
        OwnCgroups.ofThisProcess().parents().anyMatch(Files::isWritable),
        "the right to make a cgroup");
    assertThat(reportOf(LeaksACgroup.class).orElseThrow()).contains("cgroup /sys/fs/cgroup/");
  }

  @Test
  void leakOfATestThatFailedIsReportedToo() {
    assertThat(reportOf(FailsAndLeaks.class).orElseThrow())
        .contains("on purpose")
        .contains("sleep 7652");
  }

  @Test
  void tidyTestPasses() {
    assertThat(reportOf(IsTidy.class)).isEmpty();
  }

  @Test
  void whatIsOnItsWayOutIsWaitedFor() {
    assertThat(reportOf(EndsALittleLater.class)).isEmpty();
  }

  @Test
  void zombieDoesNotCount() {
    assertThat(reportOf(LeavesAZombie.class)).isEmpty();
  }

  /// What the run of a class failed with; suppressed failures included.
  private static Optional<String> reportOf(Class<?> testClass) {
    var events = EngineTestKit.engine("junit-jupiter").selectors(selectClass(testClass)).execute();
    assertThat(events.testEvents().started().count()).isEqualTo(1);
    return events.testEvents().failed().stream()
        .map(Event::getPayload)
        .map(payload -> payload.orElseThrow().toString() + suppressed(payload.orElseThrow()))
        .findFirst();
  }

  private static String suppressed(Object payload) {
    var result = (TestExecutionResult) payload;
    return List.of(result.getThrowable().orElseThrow().getSuppressed()).toString();
  }

  private static Process start(String marker, String... command) throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().put(LeakDetector.VARIABLE, marker);
    var process = builder.start();
    LEFT.add(() -> process.destroyForcibly().waitFor());
    return process;
  }

  /// Starts a shell that starts a sleep, says its pid and ends; the sleep goes to another parent.
  private static void startDaemon(String marker, String seconds) throws Exception {
    var shell = start(marker, "sh", "-c", "setsid sleep " + seconds + " >/dev/null 2>&1 & echo $!");
    long pid = Long.parseLong(shell.inputReader().readLine());
    shell.waitFor();
    LEFT.add(() -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  /// Impatient, where what leaks stays for ever.
  abstract static class Impatient {
    @RegisterExtension final LeakDetector detector = new LeakDetector(Duration.ofMillis(300));
  }

  static final class LeaksAChild extends Impatient {
    @Test
    void leaks() throws IOException {
      start("", "sleep", "7654");
    }
  }

  static final class LeaksADaemon extends Impatient {
    @Test
    void leaks() throws Exception {
      startDaemon(LeakDetector.marker(), "7653");
    }
  }

  static final class StartsAStranger extends Impatient {
    @Test
    void startsOne() throws Exception {
      startDaemon("0f0f0f0f", "7651");
    }
  }

  static final class LeaksAFile extends Impatient {
    @Test
    void leaks() throws IOException {
      var file = Files.createTempFile(Path.of("/tmp"), "husk-leaked-", "");
      LEFT.add(() -> Files.delete(file));
    }
  }

  static final class LeaksAHome extends Impatient {
    @Test
    void leaks() throws IOException {
      LEFT.add(TempHome.create());
    }
  }

  static final class LeaksASocket extends Impatient {
    @Test
    void leaks() throws IOException {
      try (var home = TempHome.create()) {
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        LEFT.add(server);
        server.bind(UnixDomainSocketAddress.of(home.resolve("left.sock")));
      }
    }
  }

  static final class LeaksACgroup extends Impatient {
    @Test
    void leaks() throws IOException {
      var parent =
          OwnCgroups.ofThisProcess().parents().filter(Files::isWritable).findFirst().orElseThrow();
      var group = Files.createDirectory(parent.resolve("husk-leaked-" + LeakDetector.marker()));
      LEFT.add(() -> Files.delete(group));
    }
  }

  static final class FailsAndLeaks extends Impatient {
    @Test
    void failsAndLeaks() throws IOException {
      start("", "sleep", "7652");
      throw new AssertionError("on purpose");
    }
  }

  @ExtendWith(LeakDetector.class)
  static final class IsTidy {
    @Test
    void tidies() throws Exception {
      try (var home = TempHome.create();
          var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(home.resolve("used.sock")));
        start(LeakDetector.marker(), "sleep", "7650").destroyForcibly().waitFor();
      }
    }
  }

  @ExtendWith(LeakDetector.class)
  static final class EndsALittleLater {
    @Test
    void leavesSomethingForAMoment() throws IOException {
      var process = start(LeakDetector.marker(), "sleep", "7649");
      CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS)
          .execute(process::destroyForcibly);
    }
  }

  /// A shell that was there before becomes, during the test, the parent of a child it never reaps.
  static final class LeavesAZombie extends Impatient {
    private static final String SCRIPT = "read go; sleep 0 & exec sleep 7648";
    private static Process parent;

    @BeforeAll
    static void startParent() throws IOException {
      parent = start("", "sh", "-c", SCRIPT);
    }

    @Test
    void makesIt() throws IOException {
      // The parent is not new, only the program it runs.
      parent.getOutputStream().write('\n');
      parent.getOutputStream().flush();
      Eventually.until(
          Duration.ofSeconds(10),
          () -> parent.children().anyMatch(child -> zombie(child.pid())),
          () -> "no zombie appeared");
    }

    private static boolean zombie(long pid) {
      try {
        return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
      } catch (IOException _) {
        return false;
      }
    }
  }
}
