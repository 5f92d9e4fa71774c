package husk.store;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.KernelRecord;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Several processes on one file, and processes that die while they write.
@ExtendWith(LeakDetector.class)
@Timeout(120)
class RegistryProcessesTest {
  private TempHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void deleteHome() throws IOException {
    home.close();
  }

  /// The file does not exist yet, so that they also race to make it.
  @Test
  void processesThatClaimOneNameGetOneKernel() throws Exception {
    var file = home.resolve("new/registry.db");
    var processes = new ArrayList<Process>();
    var answers = new ArrayList<String>();
    try {
      for (int i = 0; i < 8; i++) {
        processes.add(start(ClaimingProcess.class, file, "it's 🐚"));
      }
      var outputs = processes.stream().map(Process::inputReader).toList();
      for (var output : outputs) {
        assertThat(output.readLine()).isEqualTo("ready");
      }
      for (var process : processes) {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      }
      for (var output : outputs) {
        output.lines().forEach(answers::add);
      }
      for (var process : processes) {
        assertThat(process.waitFor()).isZero();
      }
    } finally {
      end(processes);
    }

    assertThat(answers).hasSize(8 * ClaimingProcess.THREADS);
    assertThat(answers).filteredOn(answer -> answer.startsWith("won ")).hasSize(1);
    assertThat(answers.stream().map(answer -> answer.split(" ", -1)[1]).distinct()).hasSize(1);
    try (var registry = SqliteRegistry.open(file)) {
      assertThat(registry.list()).extracting(KernelRecord::kernelId).hasSize(1);
    }
  }

  @Test
  void killedWriterLeavesAConsistentRegistry() throws Exception {
    var file = home.resolve("registry.db");
    for (int round = 0; round < 4; round++) {
      killAmidWriting(file, 5 + 13 * round);
      assertIntact(file);
    }
  }

  private void killAmidWriting(Path file, int lines) throws Exception {
    var writer = start(WritingProcess.class, file);
    try {
      BufferedReader output = writer.inputReader();
      for (int i = 0; i < lines; i++) {
        assertThat(output.readLine()).isNotNull();
      }
    } finally {
      end(List.of(writer));
    }
  }

  private static void assertIntact(Path file) throws SQLException {
    try (var registry = SqliteRegistry.open(file)) {
      var kernels = registry.list();
      assertThat(kernels).isNotEmpty();
      for (var kernel : kernels) {
        int count = kernel.attemptCount();
        assertThat(kernel.tags())
            .isEqualTo(count == 0 ? Map.of() : Map.of("count", Integer.toString(count)));
        assertThat(registry.executions(kernel.kernelId(), 100))
            .hasSizeBetween(count, count + 1)
            .filteredOn(ExecutionRow::finished)
            .hasSizeGreaterThanOrEqualTo(count);
      }
      var next = Kernels.named("after the death of " + kernels.size());
      assertThat(registry.claim(next)).isEqualTo(next);
      registry.remove(next.kernelId());
    }
    assertThat(check(file, "integrity_check")).containsExactly("ok");
    assertThat(check(file, "foreign_key_check")).isEmpty();
  }

  private static List<String> check(Path file, String pragma) throws SQLException {
    var answers = new ArrayList<String>();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA " + pragma)) {
      while (rows.next()) {
        answers.add(rows.getString(1));
      }
    }
    return answers;
  }

  private Process start(Class<?> main, Path file, String... more) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Where sqlite-jdbc unpacks its library, which a killed process leaves there.
                "-Dorg.sqlite.tmpdir=" + home.path(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                file.toString()));
    command.addAll(List.of(more));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put(LeakDetector.VARIABLE, LeakDetector.marker());
    // The name on the command line is to arrive as it is, whatever the machine's language.
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.start();
  }

  private static void end(List<Process> processes) throws InterruptedException {
    for (var process : processes) {
      process.destroyForcibly();
    }
    for (var process : processes) {
      process.waitFor();
    }
  }
}
