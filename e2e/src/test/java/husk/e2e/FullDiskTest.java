package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A home on a disk that fills up.
@ExtendWith(LeakDetector.class)
final class FullDiskTest {

  @Test
  void codeStillRunsAndKernelsCanBeDestroyedWhileNewOnesAreRefusedUntilThereIsRoom()
      throws Exception {
    try (var husk = new HuskCommand()) {
      var disk = husk.home.resolve("disk");
      Files.createDirectory(disk);
      Requirements.need(
          mount("-t", "tmpfs", "-o", "size=3m,mode=700", "none", disk.toString()),
          "the right to mount a small disk");
      try {
        husk.environment.put("HUSK_HOME", disk.resolve("home").toString());
        assertThat(husk.run("exec", "--name", "k", "x = 1").exit()).isZero();
        fill(disk.resolve("filler"));
        var result = husk.run("exec", "--name", "k", "x + 1");
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.json().path("return_value").asString()).isEqualTo("2");
        var refused = husk.run("create", "--name", "another");
        assertThat(refused.exit()).isEqualTo(70);
        assertThat(refused.errorJson().path("code").asString()).isEqualTo("store_failed");
        var destroyed = husk.run("destroy", "--name", "k");
        assertThat(destroyed.exit()).as(destroyed.err()).isZero();
        var listed = husk.run("list");
        assertThat(listed.exit()).as(listed.err()).isZero();
        assertThat(listed.out()).doesNotContain("\"k\"");
        Files.delete(disk.resolve("filler"));
        assertThat(husk.run("create", "--name", "another").exit()).isZero();
        husk.run("daemon", "stop", "--kernels");
      } finally {
        run("umount", "-l", disk.toString());
      }
    }
  }

  private static void fill(Path filler) throws IOException {
    try (var out = Files.newOutputStream(filler)) {
      for (int size = 1 << 16; size > 0; size /= 2) {
        writeUntilFull(out, size);
      }
    } catch (IOException full) {
      // closing it may say so once more
    }
  }

  private static void writeUntilFull(java.io.OutputStream out, int size) {
    try {
      while (true) {
        out.write(new byte[size]);
      }
    } catch (IOException full) {
      // that was the aim
    }
  }

  private static boolean mount(String... arguments) throws Exception {
    var command = new String[arguments.length + 1];
    command[0] = "mount";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return run(command) == 0;
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
