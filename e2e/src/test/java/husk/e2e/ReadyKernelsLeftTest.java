package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What was kept ready for nobody does not outlive the daemon that kept it.
final class ReadyKernelsLeftTest extends SandboxTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @BeforeEach
  void keepSome() {
    husk.environment.remove("HUSK_BACKEND");
    assertThat(husk.run("exec", "--name", "k", "x = 42").exit()).isZero();
    // Two kernels, and four sandboxes for those who come when there is none.
    Eventually.until(PATIENCE, () -> sandboxes().size() == 7, () -> "sandboxes: " + sandboxes());
  }

  /// What this home's launchers listen to: one each, and the process they made has its words.
  private Set<String> sandboxes() {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .filter(process -> process.getFileName().toString().matches("[0-9]+"))
          .map(process -> List.of(command(process).split("\0")))
          .filter(words -> words.size() > 3 && words.get(1).equals("launch"))
          .map(words -> words.get(3))
          .filter(socket -> socket.startsWith(husk.home.resolve("run").toString()))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static String command(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  private List<Path> kernelFolders() {
    try (var folders = Files.list(husk.home.resolve("run/k"))) {
      return folders.toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void itEndsWithADaemonThatIsKilledAndTheNextRemovesItsFiles() {
    ProcessHandle.of(husk.daemonPid()).orElseThrow().destroyForcibly();
    Eventually.until(PATIENCE, () -> sandboxes().size() == 1, () -> "sandboxes: " + sandboxes());
    assertThat(husk.run("exec", "--name", "k", "x").json().path("return_value").asString(""))
        .isEqualTo("42");
    assertThat(kernelFolders()).hasSize(1);
    assertThat(out("sandbox", "list")).contains("kernel-");
  }

  @Test
  void itEndsWithADaemonThatIsToldTo() {
    assertThat(husk.run("daemon", "stop").exit()).isZero();
    assertThat(sandboxes()).hasSize(1);
    assertThat(kernelFolders()).hasSize(1);
  }
}
