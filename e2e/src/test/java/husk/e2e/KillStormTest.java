package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A daemon that is killed again and again while everybody works: no result is lost, nothing runs
/// twice, and nothing is left. `STORM_KILLS` makes it longer or shorter, `STORM_SEED` repeats one.
final class KillStormTest extends SandboxTest {
  private static final int KILLS = number("STORM_KILLS", 200);
  private static final long SEED = number("STORM_SEED", new Random().nextInt(1 << 30));

  private volatile boolean over;

  @BeforeEach
  void keepKernelsInSandboxes() {
    husk.environment.remove("HUSK_BACKEND");
    husk.environment.put("HUSK_KERNEL_POOL", "1");
    husk.environment.put("HUSK_SANDBOX_POOL", "1");
  }

  private static int number(String variable, int usual) {
    return Integer.parseInt(System.getenv().getOrDefault(variable, Integer.toString(usual)));
  }

  @Test
  @Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyResultArrivesOnceAndNothingIsLeft() {
    for (var name : List.of("a", "b", "c")) {
      assertThat(husk.run("exec", "--name", name, "n = 0").exit()).isZero();
    }
    var workers =
        Stream.<Runnable>of(() -> count("a"), () -> count("b"), () -> count("c"), this::comeAndGo)
            .map(work -> CompletableFuture.runAsync(work, task -> Thread.ofVirtual().start(task)))
            .toList();
    try {
      var random = new Random(SEED);
      for (int kill = 0; kill < KILLS && workers.stream().noneMatch(w -> w.isDone()); kill++) {
        killDaemon(random);
      }
    } finally {
      over = true;
    }
    workers.forEach(CompletableFuture::join);
    assertThat(husk.run("wipe").exit()).isZero();
    assertThat(husk.run("list").json().path("kernels")).isEmpty();
    assertThat(husk.run("daemon", "stop", "--kernels").exit()).isZero();
    assertThat(left()).as("seed %s", SEED).isEmpty();
  }

  /// Each call finds what the one before it left, one more.
  private void count(String name) {
    for (int expected = 1; !over; expected++) {
      var outcome = husk.run("exec", "--name", name, "n += 1; print('n', n); n");
      assertThat(outcome.exit()).as("%s %s, seed %s", name, outcome, SEED).isZero();
      var result = outcome.json();
      assertThat(result.path("return_value").asString())
          .as("seed %s", SEED)
          .isEqualTo(Integer.toString(expected));
      assertThat(result.path("output").asString()).isEqualTo("n " + expected + "\n");
    }
  }

  private void comeAndGo() {
    for (int i = 0; !over; i++) {
      var name = "guest-" + i;
      insist(
          () -> {
            var outcome = husk.run("exec", "--name", name, "6 * 7");
            return outcome.exit() == 0
                    && outcome.json().path("return_value").asString().equals("42")
                ? ""
                : outcome.toString();
          });
      insist(
          () -> {
            var outcome = husk.run("destroy", "--name", name);
            return outcome.exit() == 0 || outcome.err().contains("\"kernel_not_found\"")
                ? ""
                : outcome.toString();
          });
    }
  }

  /// To make a kernel, and to end it, takes longer than some daemons live: whoever has lost too
  /// many of them is told so, and asks again. Nothing else may be in the way.
  private void insist(Supplier<String> task) {
    var trouble = new AtomicReference<>("");
    Eventually.until(
        Duration.ofMinutes(2),
        () -> {
          trouble.set(task.get());
          assertThat(trouble.get())
              .satisfiesAnyOf(
                  none -> assertThat(none).isEmpty(),
                  lost -> assertThat(lost).contains("\"daemon_unavailable\""));
          return trouble.get().isEmpty();
        },
        () -> trouble.get() + ", seed " + SEED);
  }

  /// At its start, or at any moment of its work.
  private void killDaemon(Random random) {
    boolean young = random.nextInt(5) == 0;
    int moment = young ? random.nextInt(300) : 100 + random.nextInt(800);
    Eventually.until(
        Duration.ofSeconds(60),
        () -> over || (daemon().isPresent() && (young || answers())),
        () -> "no daemon, seed " + SEED);
    pause(moment);
    daemon().ifPresent(ProcessHandle::destroyForcibly);
  }

  /// The socket of one that was killed stays, and answers nobody.
  private boolean answers() {
    var socket = UnixDomainSocketAddress.of(husk.home.resolve("run/daemon.sock"));
    try (var _ = SocketChannel.open(socket)) {
      return true;
    } catch (IOException nobody) {
      return false;
    }
  }

  private Optional<ProcessHandle> daemon() {
    return ProcessHandle.allProcesses().filter(this::isDaemon).findFirst();
  }

  private boolean isDaemon(ProcessHandle process) {
    var entry = Path.of("/proc", Long.toString(process.pid()));
    try {
      return Files.readString(entry.resolve("cmdline"), StandardCharsets.ISO_8859_1)
              .contains("husk.app.DaemonMain")
          && Files.readString(entry.resolve("environ"), StandardCharsets.ISO_8859_1)
              .contains("HUSK_RUNTIME_DIR=" + husk.home.resolve("run"));
    } catch (IOException gone) {
      return false;
    }
  }

  private List<Path> left() {
    return Stream.of("run/k", "home/kernels", "home/sandboxes")
        .map(husk.home::resolve)
        .filter(Files::isDirectory)
        .flatMap(KillStormTest::entries)
        // What all sandboxes share stays.
        .filter(path -> !path.getFileName().toString().startsWith("etc-"))
        .flatMap(KillStormTest::within)
        .toList();
  }

  private static Stream<Path> entries(Path folder) {
    try (var found = Files.list(folder)) {
      return found.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// It with all it holds, which tells who made it.
  private static Stream<Path> within(Path tree) {
    try (var found = Files.walk(tree)) {
      return found.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
