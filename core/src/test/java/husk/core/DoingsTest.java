package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoingsTest {
  @TempDir Path folder;

  @Test
  void whatTakesLongIsSaidStepByStepUntilItIsOver() throws Exception {
    var file = folder.resolve("doing");
    var doings = new Doings(file);
    try (var doing = doings.begin("making it")) {
      awaitText(file, "making it");
      doing.now("finishing it");
      assertThat(file).hasContent("finishing it");
      try (var _ = doings.begin("another")) {
        awaitText(file, "another");
      }
      assertThat(file).hasContent("finishing it");
    }
    assertThat(file).doesNotExist();
  }

  private static void awaitText(Path file, String text) {
    Eventually.until(
        Duration.ofSeconds(30), () -> read(file).equals(text), () -> "not said: " + text);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException notYet) {
      return "";
    }
  }

  @Test
  void whatIsOverAtOnceIsNotSaid() throws Exception {
    var file = folder.resolve("doing");
    new Doings(file).begin("making it").close();
    Thread.sleep(1000);
    assertThat(file).doesNotExist();
  }

  @Test
  void whatAKilledProcessLeftIsNotSaidAnyMore() throws Exception {
    var file = Files.writeString(folder.resolve("doing"), "making it\n");
    var _ = new Doings(file);
    assertThat(file).doesNotExist();
  }
}
