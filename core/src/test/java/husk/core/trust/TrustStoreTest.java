package husk.core.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TrustStoreTest {
  @TempDir Path home;
  @TempDir Path project;
  private TrustStore store;
  private Path file;

  @BeforeEach
  void make() throws IOException {
    store = new TrustStore(home);
    file = project.resolve("husk.toml");
    Files.writeString(file, "backend = \"host\"\n");
  }

  private boolean trusted() {
    return store.accepts(ProjectText.require(file));
  }

  @Test
  void nothingIsTrustedAtFirst() {
    assertThat(trusted()).isFalse();
    assertThat(store.all()).isEmpty();
  }

  @Test
  void contentIsTrustedUntilItChangesAndAnEarlierOneDoesNotComeBack() throws IOException {
    store.trust(ProjectText.require(file));
    assertThat(trusted()).isTrue();
    Files.writeString(file, "backend = \"host\" \n");
    assertThat(trusted()).isFalse();
    store.trust(ProjectText.require(file));
    assertThat(trusted()).isTrue();
    Files.writeString(file, "backend = \"host\"\n");
    assertThat(trusted()).isFalse();
    assertThat(store.all()).hasSize(1);
  }

  @Test
  void sameContentElsewhereIsNotTrusted() throws IOException {
    store.trust(ProjectText.require(file));
    var other = Files.createDirectories(project.resolve("other")).resolve("husk.toml");
    Files.copy(file, other);
    assertThat(store.accepts(ProjectText.require(other))).isFalse();
    Files.delete(other);
    Files.createSymbolicLink(other, file);
    assertThat(store.accepts(ProjectText.require(other))).isFalse();
  }

  @Test
  void folderCountsByItsRealPath() throws IOException {
    var link = project.resolve("link");
    var folder = Files.createDirectories(project.resolve("folder"));
    Files.createSymbolicLink(link, folder);
    Files.copy(file, folder.resolve("husk.toml"));
    store.trust(ProjectText.require(link.resolve("husk.toml")));
    assertThat(store.accepts(ProjectText.require(folder.resolve("husk.toml")))).isTrue();
    assertThat(store.accepts(ProjectText.require(folder.resolve("../folder/husk.toml")))).isTrue();
    // Another folder behind the same link is another place.
    var evil = Files.createDirectories(project.resolve("evil"));
    Files.copy(file, evil.resolve("husk.toml"));
    Files.delete(link);
    Files.createSymbolicLink(link, evil);
    assertThat(store.accepts(ProjectText.require(link.resolve("husk.toml")))).isFalse();
  }

  @Test
  void whatIsForgottenIsNoLongerTrusted() {
    store.trust(ProjectText.require(file));
    assertThat(store.forget(ProjectText.location(file))).isTrue();
    assertThat(store.forget(ProjectText.location(file))).isFalse();
    assertThat(trusted()).isFalse();
  }

  @Test
  void onlyItsOwnerReadsWhatIsTrusted() throws IOException {
    store.trust(ProjectText.require(file));
    assertThat(mode(home.resolve("trusted"))).isEqualTo("rwx------");
    try (var records = Files.list(home.resolve("trusted"))) {
      assertThat(records).singleElement().extracting(TrustStoreTest::mode).isEqualTo("rw-------");
    }
  }

  private static String mode(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void recordThatCannotBeReadIsNoTrust() throws IOException {
    store.trust(ProjectText.require(file));
    try (var records = Files.list(home.resolve("trusted"))) {
      Files.writeString(records.findFirst().orElseThrow(), "{");
    }
    assertThat(trusted()).isFalse();
    assertThat(store.all()).isEmpty();
  }

  @Test
  void pipeInItsPlaceIsRefusedAndKeepsNobodyWaiting() throws Exception {
    Files.delete(file);
    var made = new ProcessBuilder("mkfifo", file.toString()).start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertRefused("it is no file");
  }

  @Test
  void folderDeviceAndHugeFileInItsPlaceAreRefused() throws IOException {
    Files.delete(file);
    Files.createDirectory(file);
    assertRefused("it is no file");
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/zero"));
    assertRefused("it is no file");
    Files.delete(file);
    Files.writeString(file, "#".repeat((256 << 10) + 1));
    assertRefused("more than 256 KiB");
    Files.write(file, new byte[] {(byte) 0xff});
    assertRefused("not UTF-8");
  }

  private void assertRefused(String why) {
    assertThatThrownBy(() -> ProjectText.find(file))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.INVALID_SETTING);
              assertThat(problem.text()).contains(file.toString()).contains(why);
            });
  }

  @Test
  void whatIsNotThereOrEmptySaysNothing() throws IOException {
    Files.writeString(file, "");
    assertThat(ProjectText.find(file)).isEmpty();
    Files.delete(file);
    assertThat(ProjectText.find(file)).isEmpty();
    Files.createSymbolicLink(file, project.resolve("nowhere"));
    assertThat(ProjectText.find(file)).isEmpty();
  }
}
