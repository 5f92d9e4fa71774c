package husk.store;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What was removed is nowhere any more, and can be removed where there is no room.
@ExtendWith(LeakDetector.class)
class RemovalTest {
  private static final String SECRET = "s3cr3t-value-of-a-variable";

  private TempHome home;

  @BeforeEach
  void makeHome() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void deleteHome() throws IOException {
    home.close();
  }

  private SqliteRegistry open() {
    return SqliteRegistry.open(home.resolve("registry.db"));
  }

  @Test
  void launchThatWasRemovedIsInNoFileOnceTheyWereCleansed() throws IOException {
    try (var registry = open()) {
      var kernels = new ArrayList<String>();
      for (int i = 0; i < 30; i++) {
        // Some fit into a page beside others, some have pages of their own.
        var launch = "p".repeat(i * 400) + SECRET + i + "p".repeat(300);
        kernels.add(registry.claim(Kernels.named("k" + i), launch, 100).kernelId());
      }
      registry.cleanse();
      assertThat(holders()).isNotEmpty();
      kernels.forEach(registry::remove);
      registry.cleanse();

      assertThat(holders()).isEmpty();
    }
  }

  @Test
  void whatAProcessThatWasKilledHadRemovedIsGoneAfterTheNextOpening() throws IOException {
    try (var killed = open()) {
      var kernel = killed.claim(Kernels.named("k"), SECRET, 100);
      killed.remove(kernel.kernelId());
      assertThat(holders()).as("the log, before").isNotEmpty();

      try (var _ = open()) {
        assertThat(holders()).isEmpty();
      }
    }
  }

  @Test
  void kernelCanBeRemovedWhereThereIsNoRoomForAnythingElse() {
    try (var registry = open()) {
      var kernel = registry.claim(Kernels.named("k"), SECRET, 100);
      registry.begin(ExecutionRow.running("e", kernel.kernelId(), "m", "{}", Instant.EPOCH));
      registry.finish("e", "x".repeat(1 << 20), Instant.EPOCH);
      var reserve = home.resolve("registry.db-reserve");
      assertThat(reserve).exists();
      var tries = new ArrayList<String>();

      var removed =
          registry
              .database()
              .withRoom(
                  () -> {
                    tries.add("with " + Files.exists(reserve));
                    throw StoreProblems.of(
                        "here", new java.sql.SQLException("full", null, /* SQLITE_FULL */ 13));
                  },
                  () -> {
                    tries.add("with " + Files.exists(reserve));
                    return true;
                  });

      assertThat(removed).isTrue();
      assertThat(tries).containsExactly("with true", "with false");
      registry.remove(kernel.kernelId());
      registry.cleanse();
      assertThat(reserve).as("taken again when there is room").exists();
    }
  }

  private List<Path> holders() throws IOException {
    try (var files = Files.list(home.path())) {
      return files.filter(RemovalTest::holds).toList();
    }
  }

  private static boolean holds(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET);
    } catch (IOException e) {
      return false;
    }
  }
}
