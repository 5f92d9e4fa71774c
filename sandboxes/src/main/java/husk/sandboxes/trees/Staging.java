package husk.sandboxes.trees;

import husk.model.Ids;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A folder of our own from which things can be renamed into a live folder; made when first needed,
/// gone at the end.
///
/// Beside the snapshot, where nobody who works in the live folder can reach it. If that is on
/// another file system, beside the live folder, and only as a last resort in it.
final class Staging implements AutoCloseable {
  private static final Path PROBE = Path.of(".probe");

  private final Path snapshot;
  private final LiveFolder root;
  private final String id = Ids.fresh();
  private @Nullable Spot spot;
  private int count;

  /// The folder, and the one that it is in.
  private record Spot(LiveFolder parent, Path name, LiveFolder place) {}

  Staging(Path snapshot, LiveFolder root) {
    this.snapshot = snapshot;
    this.root = root;
  }

  /// How the names of those beside a snapshot begin.
  static String prefix(Path snapshot) {
    return snapshot.getFileName() + ".restoring-";
  }

  LiveFolder place() throws IOException {
    if (spot == null) {
      spot = find();
    }
    return spot.place;
  }

  /// A name nobody has used in it.
  Path fresh() {
    return Path.of(Integer.toString(count++));
  }

  private Spot find() throws IOException {
    var name = Path.of(".husk-restoring-" + id);
    try {
      return beside(snapshot, Path.of(prefix(snapshot) + id));
    } catch (IOException elsewhere) {
      try {
        return beside(root.path(), name);
      } catch (IOException closed) {
        return in(root, name);
      }
    }
  }

  private Spot beside(Path path, Path name) throws IOException {
    var above = path.toAbsolutePath().getParent();
    if (above == null) {
      throw new FileSystemException(path.toString(), null, "nothing can be beside it");
    }
    var parent = LiveFolder.open(above);
    try {
      return in(parent, name);
    } catch (IOException e) {
      parent.close();
      throw e;
    }
  }

  private Spot in(LiveFolder parent, Path name) throws IOException {
    parent.createFolder(name);
    LiveFolder place = null;
    try {
      place = parent.enter(name);
      probe(place);
      return new Spot(parent, name, place);
    } catch (IOException e) {
      if (place != null) {
        TreeRemoval.empty(place);
        place.close();
      }
      parent.deleteFolder(name);
      throw e;
    }
  }

  /// Being on the same device is not enough: two mounts of it do not let a file pass.
  private void probe(LiveFolder opened) throws IOException {
    opened.create(PROBE).close();
    var there = Path.of(".husk-probe-" + id);
    opened.move(PROBE, root, there);
    root.deleteFile(there);
  }

  @Override
  public void close() throws IOException {
    if (spot == null) {
      return;
    }
    try (var place = spot.place) {
      TreeRemoval.empty(place);
    }
    spot.parent.deleteFolder(spot.name);
    if (spot.parent != root) {
      spot.parent.close();
    }
  }

  /// Takes in what lies too deep to be removed where it is.
  Removal.DeepPlace deepPlace() {
    return (parent, name) -> parent.move(name, place(), fresh());
  }
}
