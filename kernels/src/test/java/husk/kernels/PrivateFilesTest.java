package husk.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PrivateFilesTest {
  @TempDir Path folder;

  @Test
  void folderThatSomebodyStillWritesIntoIsGoneAfterwards() throws Exception {
    for (int round = 0; round < 100; round++) {
      var kernel = PrivateFiles.directory(folder.resolve("k" + round));
      var writer = Thread.ofPlatform().start(() -> writeUntilGone(kernel));
      PrivateFiles.delete(kernel);
      assertThat(kernel).doesNotExist();
      writer.join();
    }
  }

  private static void writeUntilGone(Path kernel) {
    for (int i = 0; ; i = (i + 1) % 8) {
      try {
        Files.writeString(kernel.resolve("exit" + i), "{}");
      } catch (IOException gone) {
        return;
      }
    }
  }
}
