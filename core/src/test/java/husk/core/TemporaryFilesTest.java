package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.sandboxes.SandboxRequest;
import husk.spi.FileEntry;
import husk.spi.Sandbox;
import husk.testkit.LeakDetector;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What is taken back in a sandbox's temporary folders, and what is not the sandbox's.
@ExtendWith(LeakDetector.class)
@Timeout(60)
final class TemporaryFilesTest {
  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  @Test
  void whatIsMountedInATemporaryFolderIsNeitherKeptNorRemoved(@TempDir Path folder)
      throws IOException {
    var shared = Files.createDirectory(folder.resolve("shared"));
    var kept = Files.createDirectory(folder.resolve("kept"));
    var mine = Files.writeString(shared.resolve("mine"), "x".repeat(100_000));
    var sandbox = sandbox(shared + ":/tmp/deep/in/data:rw");
    write(sandbox, "/tmp/own", "old");

    TemporaryFiles.keep(sandbox, kept);
    write(sandbox, "/tmp/own", "new");
    write(sandbox, "/tmp/extra", "new");
    write(sandbox, "/tmp/deep/in/data/later", "stays");
    TemporaryFiles.restore(sandbox, kept);

    assertThat(sandbox.files().read("/tmp/own")).hasContent("old");
    assertThat(sandbox.files().list("/tmp")).noneMatch(entry -> entry.name().equals("extra"));
    assertThat(mine).hasSize(100_000);
    assertThat(shared.resolve("later")).hasContent("stays");
    assertThat(kept.resolve("tmp.tar")).content().doesNotContain("xxxxx");
  }

  @Test
  void whatNobodyMayReadIsLeftAloneAndTheRestGoesBack(@TempDir Path folder) throws IOException {
    var kept = Files.createDirectory(folder.resolve("kept"));
    var shared = Files.createDirectory(folder.resolve("shared"));
    var sandbox = sandbox(shared + ":/data:rw");
    write(sandbox, "/tmp/own", "old");
    write(sandbox, "/tmp/secret", 0, "hidden");
    sandbox.files().makeDirectory("/tmp/in/closed", true);
    write(sandbox, "/tmp/in/beside", "old");
    write(sandbox, "/tmp/in/closed/hidden", 0, "hidden");

    TemporaryFiles.keep(sandbox, kept);
    write(sandbox, "/tmp/own", "new");
    write(sandbox, "/tmp/in/beside", "new");
    write(sandbox, "/tmp/later", 0, "new");
    TemporaryFiles.restore(sandbox, kept);

    assertThat(sandbox.files().read("/tmp/own")).hasContent("old");
    assertThat(sandbox.files().read("/tmp/in/beside")).hasContent("old");
    assertThat(sandbox.files().list("/tmp"))
        .extracting(FileEntry::name)
        .contains("own", "secret", "in")
        .doesNotContain("later");
    assertThat(sandbox.files().stat("/tmp/in/closed/hidden").size()).isEqualTo(6);
  }

  private Sandbox sandbox(String mount) {
    var request = SandboxRequest.named("box").equipped(List.of(mount), Map.of());
    host.core.createSandbox(request, host.caller());
    return host.core.sandboxes().use("box");
  }

  private static void write(Sandbox sandbox, String path, String text) throws IOException {
    write(sandbox, path, 0644, text);
  }

  private static void write(Sandbox sandbox, String path, int mode, String text)
      throws IOException {
    sandbox
        .files()
        .write(
            path,
            mode,
            new ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }
}
