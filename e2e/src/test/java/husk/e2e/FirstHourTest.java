package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What people type before they have read anything.
@ExtendWith(LeakDetector.class)
final class FirstHourTest {
  private final HuskCommand husk = new HuskCommand();

  @AfterEach
  void close() {
    husk.close();
  }

  @Test
  void kernelIsNamedWithoutAnOptionAndTimesHaveUnits() {
    var made =
        husk.run("exec", "--name", "demo", "--timeout", "30s", "--idle-timeout", "5m", "6 * 7");
    assertThat(made.json().path("return_value").asString()).isEqualTo("42");
    var status = husk.run("status", "demo").json().path("kernel");
    assertThat(status.path("name").asString()).isEqualTo("demo");
    assertThat(status.path("idle_timeout").asDouble()).isEqualTo(300);
    assertThat(husk.run("logs", "demo").exit()).isZero();
    assertThat(husk.run("restart", "demo").exit()).isZero();
    assertThat(husk.run("connection-file", "demo").out()).contains(".json");
    assertThat(husk.run("destroy", "--name", "demo", "demo").exit()).isEqualTo(2);
    assertThat(husk.run("destroy", "demo").exit()).isZero();
    assertThat(husk.run("exec", "--name", "demo", "--timeout", "1x", "1").err())
        .contains("write seconds, or 30s, 5m");
  }

  private HuskCommand.Outcome install() {
    var script = Path.of(System.getProperty("husk.root", "..")).resolve("scripts/install");
    return husk.shell("exec '" + script.toAbsolutePath() + "' bin");
  }

  @Test
  void checkoutIsLinkedIntoAFolderAndNothingElseIsReplaced() throws IOException {
    var link = husk.home.resolve("work/bin/husk");
    var installed = install();
    assertThat(installed.exit()).as(installed.err()).isZero();
    assertThat(installed.out()).contains("is not on your PATH yet");
    assertThat(Files.readSymbolicLink(link)).isAbsolute().hasFileName("husk");
    assertThat(install().exit()).as("once more").isZero();
    Files.delete(link);
    Files.writeString(link, "somebody else's");
    assertThat(install().exit()).isEqualTo(5);
    assertThat(link).hasContent("somebody else's");
  }
}
