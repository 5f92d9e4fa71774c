package husk.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.KernelRecord;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A registry that is damaged is recognised, set aside and made anew.
@ExtendWith(LeakDetector.class)
class RescueTest {
  private static final int SEED = 20;

  private final KernelRecord known = Kernels.named("known");
  private final List<Optional<Path>> rescued = new ArrayList<>();
  private TempHome home;
  private Path file;

  @BeforeEach
  void makeHome() throws IOException {
    home = TempHome.create();
    file = home.resolve("registry.db");
  }

  @AfterEach
  void deleteHome() throws IOException {
    home.close();
  }

  /// Ways to damage a file.
  enum Damage {
    NO_DATABASE,
    RANDOM_HEAD,
    RANDOM_SCHEMA,
    RANDOM_MIDDLE,
    HALF,
    ONE_PAGE,
    SENSELESS_STATUS,
    SENSELESS_TAGS,
    NO_TABLE
  }

  private static void inflict(Damage damage, Path path) {
    switch (damage) {
      case NO_DATABASE -> write(path, 0, "no database".getBytes(StandardCharsets.UTF_8));
      case RANDOM_HEAD -> write(path, 0, random(512));
      case RANDOM_SCHEMA -> write(path, 100, random(2000));
      case RANDOM_MIDDLE -> {
        for (long at = 4096; at < size(path); at += 4096) {
          write(path, at, random(4096));
        }
      }
      case HALF -> truncate(path, size(path) / 2);
      case ONE_PAGE -> truncate(path, 4096);
      case SENSELESS_STATUS -> run(path, "UPDATE kernels SET status = 'nonsense'");
      case SENSELESS_TAGS -> run(path, "UPDATE kernels SET tags = '%zz'");
      case NO_TABLE -> run(path, "DROP TABLE executions");
    }
  }

  @ParameterizedTest
  @EnumSource
  void damageIsFoundWhenTheFileIsOpened(Damage damage) throws IOException {
    fill();
    inflict(damage, file);
    var damaged = Files.readAllBytes(file);

    try (var registry = SqliteRegistry.open(file, rescue())) {
      assertThat(registry.list()).containsExactly(known);
    }
    assertThat(rescued).hasSize(1);
    var aside = rescued.getFirst().orElseThrow();
    assertThat(aside).hasBinaryContent(damaged).hasParent(home.path());
    assertThat(Path.of(aside + "-wal")).doesNotExist();
    try (var again = SqliteRegistry.open(file, rescue())) {
      assertThat(again.list()).containsExactly(known);
    }
    assertThat(rescued).as("it is whole now").hasSize(1);
  }

  @Test
  void damageIsFoundWhileTheFileIsUsed() {
    fill();
    try (var registry = SqliteRegistry.open(file, rescue())) {
      rescued.clear();
      inflict(Damage.SENSELESS_STATUS, file);

      assertThatThrownBy(registry::list)
          .isInstanceOf(Problem.class)
          .hasMessageContaining("damaged")
          .hasMessageContaining("made anew");
      assertThat(registry.list()).containsExactly(known);
      registry.begin(ExecutionRow.running("e", known.kernelId(), "m", "{}", Instant.EPOCH));
      assertThat(registry.running(known.kernelId())).hasSize(1);
    }
    assertThat(rescued).hasSize(1);
  }

  @Test
  void whatCannotBeMendedNowIsTriedAgainByWhoeverComesNext() {
    fill();
    var fails = new boolean[] {false};
    var rescue =
        rescue(
            () -> {
              if (fails[0]) {
                throw new Problem(Problem.Code.STORE_FAILED, "no room");
              }
            });
    try (var registry = SqliteRegistry.open(file, rescue)) {
      inflict(Damage.SENSELESS_STATUS, file);
      fails[0] = true;
      assertThatThrownBy(registry::list).hasMessageContaining("no room");
      assertThatThrownBy(registry::list).hasMessageContaining("no room");
      fails[0] = false;
      assertThatThrownBy(registry::list).hasMessageContaining("made anew");
      assertThat(registry.list()).containsExactly(known);
    }
  }

  @Test
  void fileThatIsEmptyOrMissingIsFilledAgain() throws IOException {
    fill();
    truncate(file, 0);
    try (var registry = SqliteRegistry.open(file, rescue())) {
      assertThat(registry.list()).containsExactly(known);
    }
    Files.delete(file);
    try (var registry = SqliteRegistry.open(file, rescue())) {
      assertThat(registry.list()).containsExactly(known);
    }
    assertThat(rescued).containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void newerSchemaAndOtherPeoplesFilesAreRefusedAndLeftAlone() throws IOException {
    fill();
    run(file, "PRAGMA user_version = 99");
    assertThatThrownBy(() -> SqliteRegistry.open(file, rescue()))
        .hasMessageContaining("newer Husk");
    var others = home.resolve("registry.json");
    Files.writeString(others, "{\"kernels\":{}}".repeat(100));
    assertThatThrownBy(() -> SqliteRegistry.open(others, rescue()))
        .hasMessageContaining("not a SQLite database");

    assertThat(rescued).isEmpty();
    assertThat(others).hasContent("{\"kernels\":{}}".repeat(100));
  }

  private void fill() {
    try (var registry = SqliteRegistry.open(file)) {
      for (int i = 0; i < 40; i++) {
        var kernel = registry.claim(Kernels.full("k" + i), "x".repeat(500), 100);
        registry.begin(ExecutionRow.running("e" + i, kernel.kernelId(), "m", "{}", Instant.EPOCH));
        registry.finish("e" + i, "y".repeat(5000), Instant.EPOCH);
      }
    }
  }

  private Rescue rescue() {
    return rescue(() -> {});
  }

  private Rescue rescue(Runnable first) {
    return new Rescue() {
      @Override
      public boolean owns(Path asked) {
        return asked.equals(file);
      }

      @Override
      public void rebuild(Registry empty, Optional<Path> damaged) {
        first.run();
        rescued.add(damaged);
        empty.claim(known);
      }
    };
  }

  private static byte[] random(int size) {
    var bytes = new byte[size];
    new Random(SEED).nextBytes(bytes);
    return bytes;
  }

  private static void write(Path path, long at, byte[] bytes) {
    try (var access = new RandomAccessFile(path.toFile(), "rw")) {
      access.seek(at);
      access.write(bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void truncate(Path path, long size) {
    try (var access = new RandomAccessFile(path.toFile(), "rw")) {
      access.setLength(size);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long size(Path path) {
    return path.toFile().length();
  }

  private static void run(Path path, String sql) {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + path);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
