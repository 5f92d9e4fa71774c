package husk.sandboxes.trees;

import husk.model.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// Removes a tree that nobody uses any more, whatever its owner made of it: folders that may not be
/// entered, and folders in each other until no path is long enough to name them. Links are removed,
/// never followed; what is mounted in it stays.
public final class TreeRemoval {
  private TreeRemoval() {}

  public static void remove(Path tree) throws IOException {
    var above = tree.toAbsolutePath().getParent();
    if (above != null && Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      try (var parent = LiveFolder.open(above);
          var top = parent.enterByForce(tree.getFileName())) {
        top.becomeWritable();
        empty(top);
      } catch (NoSuchFileException e) {
        // Somebody else was faster.
      }
    }
    Files.deleteIfExists(tree);
  }

  /// Once more for what lay too deep the last time.
  static void empty(LiveFolder top) throws IOException {
    var again = new AtomicBoolean(true);
    while (again.getAndSet(false)) {
      var removal = new Removal(top.attributes().dev(), upTo(top, again), _ -> {});
      for (var name : top.names()) {
        removal.remove(top, name, "");
      }
    }
  }

  private static Removal.DeepPlace upTo(LiveFolder top, AtomicBoolean again) {
    return (parent, name) -> {
      parent.move(name, top, Path.of(Ids.fresh()));
      again.set(true);
    };
  }
}
