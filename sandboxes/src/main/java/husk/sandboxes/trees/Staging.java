package husk.sandboxes.trees;

import husk.model.Ids;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A folder of our own from which things can be renamed into a live folder; made when first needed,
/// gone at the end.
///
/// Beside the snapshot, where nobody who works in the live folder can reach it. If that is on
/// another file system, beside the live folder, and only as a last resort in it.
final class Staging implements AutoCloseable {
  private static final Path PROBE = Path.of(".probe");

  private final List<Path> candidates;
  private final LiveFolder root;
  private @Nullable LiveFolder place;
  private int count;

  Staging(Path snapshot, LiveFolder root) {
    var id = Ids.fresh();
    var beside = ".husk-restoring-" + id;
    this.root = root;
    this.candidates =
        List.of(
            snapshot.resolveSibling(prefix(snapshot) + id),
            root.path().resolveSibling(beside),
            root.path().resolve(beside));
  }

  /// How the names of those beside a snapshot begin.
  static String prefix(Path snapshot) {
    return snapshot.getFileName() + ".restoring-";
  }

  LiveFolder place() throws IOException {
    if (place == null) {
      place = find();
    }
    return place;
  }

  /// A name nobody has used in it.
  Path fresh() {
    return Path.of(Integer.toString(count++));
  }

  private LiveFolder find() throws IOException {
    IOException last = new FileSystemException(root.path().toString());
    for (var candidate : candidates) {
      try {
        return tryPlace(candidate);
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private LiveFolder tryPlace(Path candidate) throws IOException {
    var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectory(candidate, mine);
    LiveFolder opened = null;
    try {
      opened = LiveFolder.open(candidate);
      probe(opened);
      return opened;
    } catch (IOException e) {
      if (opened != null) {
        opened.close();
      }
      Files.deleteIfExists(candidate.resolve(PROBE));
      Files.deleteIfExists(candidate);
      throw e;
    }
  }

  /// Being on the same device is not enough: two mounts of it do not let a file pass.
  private void probe(LiveFolder opened) throws IOException {
    Files.createFile(opened.at(PROBE));
    var there = Path.of(".husk-probe-" + Ids.fresh());
    opened.move(PROBE, root, there);
    root.deleteFile(there);
  }

  @Override
  public void close() throws IOException {
    if (place == null) {
      return;
    }
    try (var used = place) {
      TreeRemoval.empty(used.path());
    }
    Files.deleteIfExists(place.path());
  }

  /// Takes in what lies too deep to be removed where it is.
  Removal.DeepPlace deepPlace() {
    return (parent, name) -> parent.move(name, place(), fresh());
  }
}
