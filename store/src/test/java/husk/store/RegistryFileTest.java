package husk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may read the file, and what is said when it cannot be used.
@ExtendWith(LeakDetector.class)
class RegistryFileTest {
  private TempHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void deleteHome() throws IOException {
    home.close();
  }

  @Test
  void filesAndFoldersAreForTheirOwnerAlone() throws IOException {
    var file = home.resolve("a/b/registry.db");
    try (var registry = SqliteRegistry.open(file)) {
      registry.claim(Kernels.named("demo"));

      assertThat(mode(home.resolve("a"))).isEqualTo("rwx------");
      assertThat(mode(home.resolve("a/b"))).isEqualTo("rwx------");
      for (var suffix : new String[] {"", "-wal", "-shm"}) {
        assertThat(mode(Path.of(file + suffix))).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void fileThatOthersCouldReadIsClosedToThem() throws IOException {
    var file = home.resolve("registry.db");
    SqliteRegistry.open(file).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

    SqliteRegistry.open(file).close();

    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void folderMayBeNamedAnything() throws IOException {
    var file = home.resolve("what? 100% #1 & 'ключ'/registry.db");
    SqliteRegistry.open(file).close();

    assertThat(file).exists();
    try (var entries = Files.list(home.path())) {
      assertThat(entries).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"version\":1,\"kernels\":{}}"})
  void jsonRegistryOfKernelBoxIsRefusedWithARemedyAndLeftAlone(String content) throws IOException {
    var file = home.resolve("registry.json");
    Files.writeString(file, content.repeat(100));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertRefused(file, "not a SQLite database");

    assertThat(file).hasContent(content.repeat(100));
    assertThat(mode(file)).isEqualTo("rw-r--r--");
    Files.writeString(file, content);
    assertRefused(file, "not a SQLite database");
  }

  @Test
  void newerSchemaIsRefusedWithARemedy() throws SQLException {
    var file = home.resolve("registry.db");
    SqliteRegistry.open(file).close();
    run(file, "PRAGMA user_version = 99");

    assertRefused(file, "newer Husk");
  }

  @Test
  void databaseOfAnotherProgramIsRefusedAndLeftAlone() throws Exception {
    var file = home.resolve("registry.db");
    run(file, "CREATE TABLE bookmarks (url TEXT)");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    var content = Files.readAllBytes(file);

    assertRefused(file, "another program");

    assertThat(file).hasBinaryContent(content);
    assertThat(mode(file)).isEqualTo("rw-r--r--");
  }

  @Test
  void damagedDatabaseIsRefused() throws IOException {
    var file = home.resolve("registry.db");
    SqliteRegistry.open(file).close();
    var bytes = Files.readAllBytes(file);
    for (int i = 100; i < bytes.length; i++) {
      bytes[i] = (byte) 0xa5;
    }
    Files.write(file, bytes);

    assertThatThrownBy(
            () -> {
              try (var registry = SqliteRegistry.open(file)) {
                registry.list();
              }
            })
        .isInstanceOfSatisfying(Problem.class, RegistryFileTest::hasRemedy)
        .hasMessageContaining("damaged");
  }

  @Test
  void folderInPlaceOfTheFileIsRefused() throws IOException {
    var file = home.resolve("registry.db");
    Files.createDirectory(file);

    assertRefused(file, "cannot be opened");
  }

  @Test
  void fileWhereNoneCanBeMadeIsRefused() throws IOException {
    Files.writeString(home.resolve("occupied"), "");

    assertRefused(home.resolve("occupied/registry.db"), "cannot make the registry");
    assertRefused(Path.of("/proc/husk/registry.db"), "cannot make the registry");
  }

  @Test
  void fullDiskIsAProblemAndWhatWasThereStays() {
    try (var registry = SqliteRegistry.open(home.resolve("registry.db"))) {
      var kernel = registry.claim(Kernels.named("demo"));
      registry.begin(ExecutionRow.running("e1", kernel.kernelId(), "m", "{}", Instant.EPOCH));
      registry.database().first("PRAGMA max_page_count = 20", row -> row.getInt(1));

      assertThatThrownBy(() -> registry.finish("e1", "x".repeat(1 << 20), Instant.EPOCH))
          .isInstanceOfSatisfying(Problem.class, RegistryFileTest::hasRemedy)
          .hasMessageContaining("disk is full");
      assertThat(registry.running(kernel.kernelId())).hasSize(1);

      registry.finish("e1", "small", Instant.EPOCH);
      assertThat(registry.running(kernel.kernelId())).isEmpty();
    }
  }

  @Test
  void readOnlyDatabaseIsAProblemAndCanStillBeRead() {
    try (var registry = SqliteRegistry.open(home.resolve("registry.db"))) {
      var kernel = registry.claim(Kernels.named("demo"));
      registry.database().change("PRAGMA query_only = ON");

      assertThatThrownBy(() -> registry.remove(kernel.kernelId()))
          .isInstanceOfSatisfying(Problem.class, RegistryFileTest::hasRemedy)
          .hasMessageContaining("cannot be written");
      assertThat(registry.list()).containsExactly(kernel);
    }
  }

  private static void assertRefused(Path file, String why) {
    assertThatThrownBy(() -> SqliteRegistry.open(file))
        .isInstanceOfSatisfying(Problem.class, RegistryFileTest::hasRemedy)
        .hasMessageContaining(why)
        .hasMessageContaining(file.toString());
  }

  private static void hasRemedy(Problem problem) {
    assertThat(problem.code()).isEqualTo(Problem.Code.STORE_FAILED);
    assertThat(problem.remedies()).isNotEmpty();
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void run(Path file, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
