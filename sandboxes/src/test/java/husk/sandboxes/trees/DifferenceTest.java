package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What counts as a change.
@ExtendWith(LeakDetector.class)
final class DifferenceTest {
  private final Grove grove;

  DifferenceTest() throws IOException {
    grove = new Grove();
  }

  @AfterEach
  void close() throws IOException {
    grove.close();
  }

  @Test
  void saysWhatWasAddedChangedAndRemoved() throws IOException {
    grove.write("same", "1");
    grove.write("edited", "1");
    grove.write("lost/file", "1");
    var snapshot = grove.snapshot();
    grove.write("edited", "2");
    Files.delete(grove.live.resolve("lost/file"));
    grove.write("new/file", "1");
    var changes = TreeSnapshot.difference(snapshot, grove.live);
    assertThat(changes.added().first()).containsExactly("new/", "new/file");
    assertThat(changes.changed().first()).containsExactly("edited");
    assertThat(changes.removed().first()).containsExactly("lost/file");
  }

  @Test
  void aFileThatIsOnlyTouchedOrReplacedByItsLikeHasNotChanged() throws IOException {
    var touched = grove.write("touched", "1");
    var replaced = grove.write("replaced", "1");
    var snapshot = grove.snapshot();
    Grove.age(touched, FileTime.fromMillis(0));
    Files.delete(replaced);
    grove.write("replaced", "1");
    assertThat(TreeSnapshot.difference(snapshot, grove.live).isEmpty()).isTrue();
  }

  @Test
  void aModeAndWhereALinkPointsToAreChanges() throws IOException {
    var file = grove.write("file", "1");
    var link = Files.createSymbolicLink(grove.live.resolve("link"), Path.of("a"));
    var snapshot = grove.snapshot();
    Grove.mode(file, 0711);
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("b"));
    assertThat(TreeSnapshot.difference(snapshot, grove.live).changed().first())
        .containsExactly("file", "link");
  }

  @Test
  void anotherKindIsARemovalAndAnAddition() throws IOException {
    var file = grove.write("name", "1");
    var snapshot = grove.snapshot();
    Files.delete(file);
    grove.write("name/inside", "1");
    var changes = TreeSnapshot.difference(snapshot, grove.live);
    assertThat(changes.removed().first()).containsExactly("name");
    assertThat(changes.added().first()).containsExactly("name/", "name/inside");
  }

  @Test
  void countsAllOfTenThousandFilesAndListsSome() throws Exception {
    var empty = grove.snapshot();
    for (var i = 0; i < 10_000; i++) {
      grove.write("dir" + i % 10 + "/file" + i, "text " + i);
    }
    grove.settle();
    var added = TreeSnapshot.difference(empty, grove.live).added();
    assertThat(added.count()).isEqualTo(10_010);
    assertThat(added.first()).hasSize(PathList.LISTED);
    var full = grove.snapshot();
    assertThat(grove.restore(full).isEmpty()).isTrue();
    assertThat(grove.restore(empty).removed().count()).isEqualTo(10_010);
    assertThat(grove.restore(full).added().count()).isEqualTo(10_010);
    assertThat(grove.live.resolve("dir7/file9997")).hasContent("text 9997");
  }
}
