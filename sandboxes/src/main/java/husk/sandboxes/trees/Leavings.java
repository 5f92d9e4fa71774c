package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All that one snapshot has on disk but its index: the copies, and what restores and writers that
/// were killed have left beside them.
final class Leavings {
  private Leavings() {}

  static void remove(Path snapshot) throws IOException {
    var parent = snapshot.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      return;
    }
    try (var folder = LiveFolder.open(parent)) {
      var removal = new Removal(folder.attributes().dev(), Leavings::tooDeep, _ -> {});
      for (var name : belonging(folder, snapshot)) {
        removal.remove(folder, name, "");
      }
    }
  }

  private static List<Path> belonging(LiveFolder folder, Path snapshot) throws IOException {
    var own = snapshot.getFileName();
    var index = Index.fileOf(snapshot).getFileName() + ".";
    var found = new ArrayList<Path>();
    for (var name : folder.names()) {
      var text = name.toString();
      if (name.equals(own)
          || text.startsWith(Staging.prefix(snapshot))
          || (text.startsWith(index) && text.endsWith(".new"))) {
        found.add(name);
      }
    }
    return found;
  }

  private static void tooDeep(LiveFolder parent, Path name) throws IOException {
    throw new NoSuchFileException(parent.path().resolve(name).toString(), null, "too deep");
  }
}
