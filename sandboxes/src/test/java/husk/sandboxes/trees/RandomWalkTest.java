package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.ExtendWith;

/// Hundreds of random edits, snapshots, restores and removals beside a model that remembers what
/// the folder looked like. `HUSK_TEST_SEED` repeats a run.
@ExtendWith(LeakDetector.class)
final class RandomWalkTest {
  private static final int STEPS = 400;
  private static final Path[] PLACES = {
    Path.of(""), Path.of("a"), Path.of("a/b"), Path.of("c"), Path.of("c/d/e")
  };

  private record Saved(Path snapshot, Map<String, String> look) {}

  private final Grove grove;
  private final List<Saved> saved = new ArrayList<>();
  private final long seed;
  private final Random random;

  RandomWalkTest() throws IOException {
    grove = new Grove();
    var given = System.getenv("HUSK_TEST_SEED");
    seed = given == null ? new Random().nextLong() : Long.parseLong(given);
    random = new Random(seed);
  }

  @AfterEach
  void close() throws IOException {
    grove.close();
  }

  @RepeatedTest(3)
  void everySnapshotBringsBackWhatItSaw() throws IOException {
    for (var step = 0; step < STEPS; step++) {
      try {
        step();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("HUSK_TEST_SEED=" + seed + " fails in step " + step, e);
      }
    }
  }

  private void step() throws IOException {
    switch (random.nextInt(12)) {
      case 0, 1 -> save();
      case 2, 3 -> goBack();
      case 4 -> forget();
      default -> edit();
    }
  }

  private void save() throws IOException {
    var look = Grove.look(grove.live);
    var previous = saved.isEmpty() ? Optional.<Path>empty() : Optional.of(any().snapshot);
    saved.add(new Saved(grove.snapshot(previous), look));
  }

  private Saved any() {
    return saved.get(random.nextInt(saved.size()));
  }

  private void goBack() throws IOException {
    if (saved.isEmpty()) {
      return;
    }
    var to = any();
    var differs = !Grove.look(grove.live).equals(to.look);
    var said = !TreeSnapshot.difference(to.snapshot, grove.live).isEmpty();
    assertThat(differs || !said).as("says no more than is").isTrue();
    grove.restore(to.snapshot);
    assertThat(Grove.look(grove.live)).isEqualTo(to.look);
    assertThat(TreeSnapshot.difference(to.snapshot, grove.live).isEmpty()).isTrue();
  }

  private void forget() {
    if (saved.size() > 4) {
      TreeSnapshot.remove(saved.remove(random.nextInt(saved.size())).snapshot);
    }
  }

  private void edit() throws IOException {
    var folder = grove.live.resolve(PLACES[random.nextInt(PLACES.length)]);
    makeRoom(folder);
    var name = folder.resolve("n" + random.nextInt(4));
    switch (random.nextInt(8)) {
      case 0 -> delete(name);
      case 1 -> replace(name, () -> Files.createDirectory(name));
      case 2 -> replace(name, () -> Files.createSymbolicLink(name, Path.of("n1")));
      case 3 -> replace(folder.resolve("moved"), () -> Files.move(name, folder.resolve("moved")));
      case 4 -> chmod(name);
      case 5 -> touch(name);
      default -> write(name);
    }
  }

  /// Folders may have become something else by earlier edits.
  private static void makeRoom(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(folder);
    }
  }

  @FunctionalInterface
  private interface Edit {
    Path run() throws IOException;
  }

  private static void replace(Path name, Edit edit) throws IOException {
    var source = name.resolveSibling("n0");
    if (name.endsWith("moved") && !Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    delete(name);
    try {
      edit.run();
    } catch (java.nio.file.NoSuchFileException e) {
      // There was nothing to move.
    }
  }

  private void write(Path name) throws IOException {
    if (!Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS)) {
      delete(name);
    }
    // Always of the same size: the times and the content must tell.
    Files.writeString(name, "%08x".formatted(random.nextInt()));
  }

  private void chmod(Path name) throws IOException {
    if (Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS)) {
      Grove.mode(name, 0600 | random.nextInt(0100));
    } else if (Files.isDirectory(name, LinkOption.NOFOLLOW_LINKS)) {
      Grove.mode(name, 0700 | random.nextInt(0100));
    }
  }

  private void touch(Path name) throws IOException {
    if (Files.isRegularFile(name, LinkOption.NOFOLLOW_LINKS)) {
      Grove.age(name, FileTime.fromMillis(random.nextInt(1000)));
    }
  }

  private static void delete(Path name) throws IOException {
    if (Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
      try (var all = Files.walk(name)) {
        for (var path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
