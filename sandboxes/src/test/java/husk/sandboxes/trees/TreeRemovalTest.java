package husk.sandboxes.trees;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Trees that somebody made so that they stay.
@ExtendWith(LeakDetector.class)
final class TreeRemovalTest {
  private Grove grove;

  @BeforeEach
  void plant() throws IOException {
    grove = new Grove();
  }

  @AfterEach
  void clear() throws IOException {
    grove.close();
  }

  private static void script(Path folder, String script) throws Exception {
    Grove.run("sh", "-c", "cd \"$0\" && " + script, folder.toString());
  }

  @Test
  void pathThatNobodyCanNameIsNoShelter() throws Exception {
    var dig =
        "import os, sys\nos.chdir(sys.argv[1])\n"
            + "for _ in range(700): os.mkdir('d' * 200); os.chdir('d' * 200)\n"
            + "open('leaf', 'w').close()";
    Grove.run("python3", "-c", dig, grove.live.toString());
    TreeRemoval.remove(grove.live);
    assertThat(grove.live).doesNotExist();
  }

  @Test
  void closedFoldersStrangeNamesAndPipesAreNone() throws Exception {
    script(
        grove.live,
        "mkdir -p a/b && : >a/b/f && chmod 0 a/b a && mkfifo p && touch \"$(printf 'x\\377\\n"
            + "y')\" -- -rf");
    TreeRemoval.remove(grove.live);
    assertThat(grove.live).doesNotExist();
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    var kept = Files.createDirectory(grove.outside("kept"));
    Files.writeString(kept.resolve("file"), "text");
    Files.createSymbolicLink(grove.live.resolve("link"), kept);
    TreeRemoval.remove(grove.live);
    assertThat(kept.resolve("file")).hasContent("text");
    TreeRemoval.remove(kept.resolve("file"));
    TreeRemoval.remove(grove.outside("nothing"));
    assertThat(kept).isEmptyDirectory();
  }
}
