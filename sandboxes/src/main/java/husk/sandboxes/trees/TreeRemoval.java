package husk.sandboxes.trees;

import husk.model.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;

/// Removes a tree that nobody uses any more, whatever its owner made of it: folders that may not be
/// entered, and folders in each other until no path is long enough to name them. Links are removed,
/// never followed; what is mounted in it stays.
public final class TreeRemoval {
  private TreeRemoval() {}

  public static void remove(Path tree) throws IOException {
    if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.isReadable(tree) || !Files.isWritable(tree) || !Files.isExecutable(tree)) {
        Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwx------"));
      }
      empty(tree);
    }
    Files.deleteIfExists(tree);
  }

  /// Once more for what lay too deep the last time.
  static void empty(Path folder) throws IOException {
    var again = new AtomicBoolean(true);
    while (again.getAndSet(false)) {
      try (var top = LiveFolder.open(folder)) {
        var removal = new Removal(Attributes.of(folder).dev(), upTo(top, again), _ -> {});
        for (var name : top.names()) {
          removal.remove(top, name, "");
        }
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
