package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class LocationsTest {
  private static final int USER = Folders.user();

  private TempHome temp;
  private Path shared;

  @BeforeEach
  void makeFolders() throws IOException {
    temp = TempHome.create();
    shared = Files.createDirectory(temp.resolve("t"));
  }

  @AfterEach
  void removeFolders() throws IOException {
    temp.close();
  }

  private Locations of(String... variables) {
    var environment = new HashMap<String, String>(Map.of("HOME", temp.resolve("me").toString()));
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Locations.of(environment, USER, shared);
  }

  @Test
  void withoutSettingsFilesAreInTheHomeAndSocketsInTheSharedFolder() {
    var locations = of();
    assertThat(locations.home()).isEqualTo(temp.resolve("me/.husk"));
    assertThat(locations.registry()).isEqualTo(temp.resolve("me/.husk/registry.db"));
    assertThat(locations.store()).isEqualTo(Locations.Store.FILE);
    assertThat(locations.runtime()).isEqualTo(shared.resolve("husk-" + USER));
    assertThat(locations.socket()).isEqualTo(locations.runtime().resolve("daemon.sock"));
    assertThat(locations.log()).isEqualTo(locations.runtime().resolve("daemon.log"));
  }

  @Test
  void theLoginsRuntimeFolderIsUsedIfItIsOurs() throws IOException {
    var login = Files.createDirectory(temp.resolve("run"));
    assertThat(of("XDG_RUNTIME_DIR", login.toString()).runtime()).isEqualTo(login.resolve("husk"));
    assertThat(of("XDG_RUNTIME_DIR", temp.resolve("none").toString()).runtime())
        .isEqualTo(shared.resolve("husk-" + USER));
    var other =
        Locations.of(Map.of("HOME", "/h", "XDG_RUNTIME_DIR", login.toString()), USER + 1, shared);
    assertThat(other.runtime()).isEqualTo(shared.resolve("husk-" + (USER + 1)));
  }

  @Test
  void everySettingHasItsAliasesAndOurNameComesFirst() {
    assertThat(of("AGENTKERNEL_HOME", "/a").home()).isEqualTo(Path.of("/a"));
    assertThat(of("AGENTKERNEL_HOME", "/a", "KERNELBOX_HOME", "/k").home())
        .isEqualTo(Path.of("/k"));
    assertThat(of("HUSK_HOME", "/h", "KERNELBOX_HOME", "/k").home()).isEqualTo(Path.of("/h"));
    assertThat(of("HUSK_HOME", "", "KERNELBOX_HOME", "/k").home()).isEqualTo(Path.of("/k"));
    assertThat(of("KERNELBOX_REGISTRY_PATH", "/r/x.json").registry())
        .isEqualTo(Path.of("/r/x.json"));
    assertThat(of("KERNELBOX_RUNTIME_DIR", "/r").runtime()).isEqualTo(Path.of("/r"));
    assertThat(of("KERNELBOX_STORE_BACKEND", "memory").store()).isEqualTo(Locations.Store.MEMORY);
  }

  @Test
  void relativePathsAreMadeAbsolute() {
    assertThat(of("HUSK_HOME", "x/../y").home()).isEqualTo(Path.of("y").toAbsolutePath());
  }

  @Test
  void anotherHomeRegistryOrStoreIsAnotherDaemon() {
    var runtimes =
        Set.of(
            of().runtime(),
            of("HUSK_HOME", "/a").runtime(),
            of("HUSK_HOME", "/b").runtime(),
            of("HUSK_REGISTRY_PATH", "/a").runtime(),
            of("HUSK_STORE_BACKEND", "memory").runtime());
    assertThat(runtimes).hasSize(5);
    assertThat(of("HUSK_HOME", "/a").runtime())
        .isEqualTo(of("KERNELBOX_HOME", "/a").runtime())
        .hasParentRaw(shared.resolve("husk-" + USER));
    assertThat(of("HUSK_HOME", "/a").runtime().getFileName().toString()).matches("[0-9a-f]{12}");
  }

  @Test
  void aStoreThatDoesNotExistIsRefusedWithThoseThatDo() {
    assertThatThrownBy(() -> of("KERNELBOX_STORE_BACKEND", "redis"))
        .hasMessage("KERNELBOX_STORE_BACKEND is `redis`, which is no way to keep the registry")
        .satisfies(e -> assertThat(((Problem) e).code()).isEqualTo(Problem.Code.INVALID_SETTING))
        .satisfies(
            e ->
                assertThat(((Problem) e).remedies())
                    .containsExactly("use `file` (survives restarts) or `memory`"));
  }

  @Test
  void socketsOfALongRuntimeFolderGoToAShortOne() {
    var just = "/" + "x".repeat(60);
    assertThat(of("HUSK_RUNTIME_DIR", just).sockets()).isEqualTo(Path.of(just));
    var locations = of("HUSK_RUNTIME_DIR", just + "x");
    assertThat(locations.runtime()).isEqualTo(Path.of(just + "x"));
    assertThat(locations.sockets()).hasParentRaw(shared.resolve("husk-" + USER));
    assertThat(locations.guarded())
        .containsExactly(shared.resolve("husk-" + USER), locations.runtime(), locations.sockets());
    assertThat(of("HUSK_RUNTIME_DIR", "/" + "é".repeat(31)).sockets())
        .isNotEqualTo(Path.of("/" + "é".repeat(31)));
  }

  @Test
  void preparedFoldersAreOpenToTheUserAlone() throws IOException {
    var locations = of("HUSK_HOME", temp.resolve("a/b").toString());
    locations.prepare();
    locations.prepare();
    for (var folder : locations.guarded()) {
      assertThat(mode(folder)).isEqualTo("rwx------");
    }
    assertThat(mode(locations.home())).isEqualTo("rwx------");
    assertThat(locations.guard()).isTrue();
  }

  @Test
  void aFolderLeftOpenIsClosed() throws IOException {
    var locations = of();
    Files.createDirectory(locations.runtime());
    Files.setPosixFilePermissions(
        locations.runtime(), PosixFilePermissions.fromString("rwxrwxrwx"));
    locations.prepare();
    assertThat(mode(locations.runtime())).isEqualTo("rwx------");
  }

  @Test
  void aLinkInTheSharedFolderIsRefused() throws IOException {
    var locations = of();
    Files.createSymbolicLink(locations.runtime(), Files.createDirectory(temp.resolve("elsewhere")));
    refused(locations, "it is a symbolic link");
  }

  @Test
  void aFolderThatSomebodyElseMadeFirstIsRefused() throws IOException {
    // Seen by another user, what we make is somebody else's.
    var locations = Locations.of(Map.of("HOME", temp.resolve("me").toString()), USER + 1, shared);
    Files.createDirectory(locations.runtime());
    refused(locations, "it belongs to user " + USER);
  }

  @Test
  void theFolderAboveIsGuardedToo() throws IOException {
    var locations = of("HUSK_HOME", "/a");
    var above = shared.resolve("husk-" + USER);
    Files.createSymbolicLink(above, Files.createDirectory(temp.resolve("elsewhere")));
    refused(locations, "it is a symbolic link");
  }

  @Test
  void aFileInPlaceOfAFolderIsRefused() throws IOException {
    var locations = of();
    Files.createFile(locations.runtime());
    refused(locations, "it is not a folder");
  }

  private static void refused(Locations locations, String why) {
    assertThatThrownBy(locations::guard).hasMessageContaining(why);
    assertThatThrownBy(locations::prepare)
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(((Problem) e).code()).isEqualTo(Problem.Code.INVALID_SETTING));
  }

  private static String mode(Path folder) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
  }
}
