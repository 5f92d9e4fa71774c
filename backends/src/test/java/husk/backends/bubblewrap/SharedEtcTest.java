package husk.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The one folder that is `/etc` in every sandbox.
final class SharedEtcTest {
  @TempDir Path temp;

  private Path etc() {
    return temp.resolve("etc");
  }

  @BeforeEach
  void make() throws IOException {
    Files.createDirectories(etc().resolve("ssl/certs/locked"));
    Files.writeString(etc().resolve("timezone"), "Etc/UTC\n");
    Files.writeString(etc().resolve("shadow"), "root:secret\n");
    Files.writeString(etc().resolve("ssl/certs/all"), "certificate");
    Files.writeString(etc().resolve("ssl/certs/key"), "secret");
    Files.writeString(etc().resolve("ssl/certs/locked/in"), "secret");
    permit("ssl/certs/key", "rw-r-----");
    permit("ssl/certs/locked", "rwxr-x---");
    Files.createSymbolicLink(etc().resolve("ssl/certs/link"), Path.of("/usr/share/other"));
    Files.createDirectory(temp.resolve("f"));
  }

  private void permit(String name, String permissions) throws IOException {
    Files.setPosixFilePermissions(
        etc().resolve(name), PosixFilePermissions.fromString(permissions));
  }

  private Path shared(String sandbox) throws IOException {
    var names = List.of("timezone", "ssl/certs", "not-there");
    return new SharedEtc(etc(), names, Map.of("passwd", "husk:x:1000\n"))
        .beside(new SandboxPlace(sandbox, temp.resolve("f/" + sandbox), temp, temp));
  }

  @Test
  void itHoldsWhatWasNamedAndNothingElse() throws IOException {
    var folder = shared("one");
    assertThat(folder.resolve("timezone")).hasContent("Etc/UTC\n");
    assertThat(folder.resolve("ssl/certs/all")).hasContent("certificate");
    assertThat(folder.resolve("passwd")).hasContent("husk:x:1000\n");
    assertThat(folder.resolve("ssl/certs/link")).isSymbolicLink();
    assertThat(folder.resolve("shadow")).doesNotExist();
    assertThat(folder.resolve("not-there")).doesNotExist();
  }

  @Test
  void whatNotEverybodyMayReadIsNotCopied() throws IOException {
    var folder = shared("one");
    assertThat(folder.resolve("ssl/certs/key")).doesNotExist();
    assertThat(folder.resolve("ssl/certs/locked")).doesNotExist();
  }

  @Test
  void sandboxesShareItUntilTheMachinesChanges() throws IOException {
    var first = shared("one");
    assertThat(shared("two")).isEqualTo(first);
    Files.writeString(etc().resolve("timezone"), "Europe/Lisbon\n");
    var second = shared("three");
    assertThat(second).isNotEqualTo(first);
    assertThat(second.resolve("timezone")).hasContent("Europe/Lisbon\n");
    assertThat(first.resolve("timezone")).hasContent("Etc/UTC\n");
  }

  @Test
  void thoseWhoMakeItAtOnceGetTheSameWholeFolder() throws Exception {
    try (var crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      var made = new ArrayList<Future<Path>>();
      for (int i = 0; i < 20; i++) {
        var name = "s" + i;
        made.add(crowd.submit(() -> shared(name)));
      }
      for (var folder : made) {
        assertThat(folder.get().resolve("passwd")).exists();
      }
    }
  }
}
