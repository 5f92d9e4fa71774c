package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of kernels whose registry is damaged, lost, or not to be trusted.
@ExtendWith(LeakDetector.class)
final class RegistryLossTest {
  private static final String SECRET = "value-that-nobody-may-find";

  private final HuskCommand husk = new HuskCommand();

  @AfterEach
  void close() {
    husk.close();
  }

  private Path registry() {
    return husk.home.resolve("home/registry.db");
  }

  private void killDaemon() {
    var daemon = ProcessHandle.of(husk.daemonPid()).orElseThrow();
    daemon.destroyForcibly();
    Eventually.until(Duration.ofSeconds(30), () -> !daemon.isAlive(), () -> "it lives");
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty", "random", "text", "half"})
  void kernelsGoOnAfterTheirRegistryWasDamagedAndTheUserIsToldOnce(String damage)
      throws IOException {
    assertThat(husk.run("exec", "--name", "k", "x = 42").exit()).isZero();
    Eventually.until(Duration.ofSeconds(30), this::isNoted, () -> "the kernel was not noted");
    killDaemon();
    var whole = Files.readAllBytes(registry());
    Files.deleteIfExists(Path.of(registry() + "-wal"));
    Files.write(registry(), damaged(damage, whole));

    var result = husk.run("exec", "--name", "k", "x");

    assertThat(result.json().path("return_value").asString("")).as(result.err()).isEqualTo("42");
    assertThat(result.err()).contains("made anew", "Kernels found: k").doesNotContain("\tat ");
    assertThat(husk.run("list").out()).contains("\"k\"");
    assertThat(husk.run("exec", "--name", "k", "x").err()).isEmpty();
  }

  /// What is noted of a kernel is written a moment after it was started.
  private boolean isNoted() {
    try (var files = Files.walk(husk.home.resolve("run/k"))) {
      return files
          .filter(file -> file.endsWith("row.json"))
          .anyMatch(file -> !text(file).contains("\"starting\""));
    } catch (IOException | UncheckedIOException changing) {
      return false;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] damaged(String damage, byte[] whole) {
    return switch (damage) {
      case "empty" -> new byte[0];
      case "text" -> "garbage\n".repeat(100).getBytes(StandardCharsets.UTF_8);
      case "half" -> java.util.Arrays.copyOf(whole, whole.length / 2 + 1);
      default -> {
        new Random(3).nextBytes(whole);
        yield whole;
      }
    };
  }

  @Test
  void registryOfANewerHuskIsRefusedInAFewWords() throws IOException {
    assertThat(husk.run("list").exit()).isZero();
    husk.run("daemon", "stop");
    version(99);

    var refused = husk.run("list");

    assertThat(refused.exit()).isNotZero();
    assertThat(refused.err()).contains("newer Husk").doesNotContain("\tat ");
    version(2);
    assertThat(husk.run("list").exit()).isZero();
  }

  /// In the head of the file, where SQLite keeps it.
  private void version(int number) throws IOException {
    try (var file = new RandomAccessFile(registry().toFile(), "rw")) {
      file.seek(60);
      file.writeInt(number);
    }
  }

  @Test
  void valuesOfVariablesAreInNoFileOnceTheirKernelIsGone() throws IOException {
    husk.run("create", "--name", "k", "--env", "TOKEN=" + SECRET);
    assertThat(holders()).isNotEmpty();
    assertThat(husk.run("destroy", "--name", "k").exit()).isZero();
    Eventually.until(Duration.ofSeconds(30), () -> holders().isEmpty(), () -> holders().toString());

    husk.run("create", "--name", "k", "--env", "TOKEN=" + SECRET);
    husk.run("exec", "--name", "k", "import os; os.environ['TOKEN'][:0]");
    assertThat(husk.run("wipe").exit()).isZero();
    killDaemon();
    assertThat(husk.run("list").exit()).isZero();
    assertThat(holders()).isEmpty();
  }

  private List<Path> holders() {
    try (var files = Files.walk(husk.home.path())) {
      return files.filter(Files::isRegularFile).filter(RegistryLossTest::holds).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holds(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET);
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void homeThatOthersMayWriteToIsRefusedWithTheCommandThatClosesIt() throws IOException {
    var open = Files.createDirectory(husk.home.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    husk.environment.put("HUSK_HOME", open.toString());

    var refused = husk.run("list");

    assertThat(refused.exit()).isNotZero();
    assertThat(refused.err()).contains("chmod go-w '" + open + "'");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(husk.run("list").exit()).isZero();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(open.resolve("registry.db"))))
        .isEqualTo("rw-------");
  }
}
