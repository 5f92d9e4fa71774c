package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
class TempHomeTest {
  @Test
  void itIsPrivateShortAndOfItsOwn() throws IOException {
    try (var home = TempHome.create();
        var other = TempHome.create()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.path())))
          .isEqualTo("rwx------");
      assertThat(home.path().toString()).startsWith("/tmp/husk-test-").hasSizeLessThan(40);
      assertThat(home.path()).isNotEqualTo(other.path());
    }
  }

  @Test
  void allOfItIsGoneAfterwardsAndNothingElse() throws IOException {
    Path inside;
    try (var kept = TempHome.create()) {
      try (var home = TempHome.create()) {
        inside = home.path();
        Files.createDirectories(home.resolve("a/b/c"));
        Files.writeString(home.resolve("a/b/c/file"), "content");
        Files.writeString(kept.resolve("elsewhere"), "content");
        Files.createSymbolicLink(home.resolve("link"), kept.path());
        Files.createSymbolicLink(home.resolve("dangling"), Path.of("nowhere"));
        Files.setPosixFilePermissions(
            home.resolve("a"), PosixFilePermissions.fromString("r--------"));
      }
      assertThat(inside).doesNotExist();
      assertThat(kept.resolve("elsewhere")).exists();
    }
  }
}
