package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders in the shape of two hierarchies: one shared by all sessions, one that keeps them apart.
class OwnCgroupsTest {
  @TempDir Path root;

  private OwnCgroups ours;

  @BeforeEach
  void join() throws IOException {
    group("pids");
    group("memory/sessions/ours");
    group("memory/sessions/theirs");
    ours = new OwnCgroups(root, List.of("8:pids:/", "4:memory:/sessions/ours"));
  }

  @Test
  void emptyOneOfOursIsAbandoned() throws IOException {
    var shared = group("pids/husk-a");
    var apart = group("memory/sessions/ours/husk-a");
    assertThat(ours.abandoned()).containsExactlyInAnyOrder(shared, apart);
  }

  @Test
  void oneInTheSharedHierarchyAloneIsTakenForOurs() throws IOException {
    assertThat(ours.abandoned()).isEmpty();
    var shared = group("pids/husk-a");
    assertThat(ours.abandoned()).containsExactly(shared);
  }

  @Test
  void oneThatSomebodyIsInIsNot() throws IOException {
    Files.writeString(group("pids/husk-a").resolve("cgroup.procs"), "77\n");
    assertThat(ours.abandoned()).isEmpty();
  }

  @Test
  void oneOfAnotherSessionIsNot() throws IOException {
    group("pids/husk-b");
    group("memory/sessions/theirs/husk-b");
    assertThat(ours.abandoned()).isEmpty();
  }

  @Test
  void whatHasAnotherNameIsNot() throws IOException {
    group("pids/system");
    assertThat(ours.abandoned()).isEmpty();
  }

  private Path group(String name) throws IOException {
    var folder = Files.createDirectories(root.resolve(name));
    Files.createFile(folder.resolve("cgroup.procs"));
    return folder;
  }
}
