package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A folder held open by its descriptor: what is looked at, opened, made, moved and deleted through
/// it is in that very folder, wherever its path leads by now.
final class LiveFolder implements AutoCloseable {

  /// Each level holds a descriptor.
  static final int DEEPEST = 200;

  private static final int OWNERS = 0700;

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Held held;
  private final Path path;
  private final int depth;

  private LiveFolder(Held held, Path path, int depth) {
    this.held = held;
    this.path = path;
    this.depth = depth;
  }

  static LiveFolder open(Path folder) throws IOException {
    return new LiveFolder(Held.folder(folder), folder, 0);
  }

  /// The folder of that name, if it is one and no link.
  LiveFolder enter(Path name) throws IOException {
    if (depth >= DEEPEST) {
      throw new FileSystemException(shown(name), null, "too many folders in each other");
    }
    return new LiveFolder(held.folderIn(name), path.resolve(name), depth + 1);
  }

  /// Enters also where the owner took away its own rights.
  LiveFolder enterByForce(Path name) throws IOException {
    try {
      return enter(name);
    } catch (AccessDeniedException e) {
      try (var closed = held.anythingIn(name)) {
        if (closed.attributes().kind() == Attributes.Kind.FOLDER) {
          closed.mode(OWNERS);
        }
      }
      return enter(name);
    }
  }

  /// Who may write here: needed before anything can be moved in or out.
  void becomeWritable() throws IOException {
    if (!Looks.MAY_GIVE_AWAY && (attributes().permissions() & OWNERS) != OWNERS) {
      held.mode(OWNERS);
    }
  }

  List<Path> names() throws IOException {
    var names = new ArrayList<Path>();
    try (var stream = Files.newDirectoryStream(held.path())) {
      stream.forEach(entry -> names.add(entry.getFileName()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /// Where it was found. Somebody may have moved it since: to be shown, not to be used.
  Path path() {
    return path;
  }

  /// The names from the folder that was opened to this one.
  List<Path> way() {
    var names = new ArrayList<Path>();
    path.forEach(names::add);
    return List.copyOf(names.subList(names.size() - depth, names.size()));
  }

  private String shown(Path name) {
    return path.resolve(name).toString();
  }

  int depth() {
    return depth;
  }

  /// The way to a name in this very folder, as long as it is open. What has that name may be
  /// exchanged at any moment: not for anything that follows links, or that waits.
  private Path at(Path name) {
    return held.path().resolve(name);
  }

  /// The folder itself.
  Held held() {
    return held;
  }

  /// Of the folder itself.
  Attributes attributes() throws IOException {
    return held.attributes();
  }

  Attributes attributes(Path name) throws IOException {
    return held.attributesOf(name);
  }

  /// Opens a file to read it; links and pipes are refused.
  Held read(Path name) throws IOException {
    return held.fileIn(name);
  }

  /// Where a link points to.
  Path target(Path name) throws IOException {
    return Files.readSymbolicLink(at(name));
  }

  /// A new file, to be written.
  Held create(Path name) throws IOException {
    return held.createIn(name);
  }

  /// For its owner alone.
  void createFolder(Path name) throws IOException {
    Files.createDirectory(at(name), PRIVATE);
  }

  /// A new link, held.
  Held createLink(Path name, Path target) throws IOException {
    Files.createSymbolicLink(at(name), target);
    return held.anythingIn(name);
  }

  /// Another name for a file that is in this or another folder.
  void share(Path name, LiveFolder from, Path existing) throws IOException {
    Files.createLink(at(name), from.at(existing));
  }

  void deleteFile(Path name) throws IOException {
    Unhurried.deleteFile(held.descriptor(), name);
  }

  void deleteFolder(Path name) throws IOException {
    Unhurried.deleteFolder(held.descriptor(), name);
  }

  /// Renames into another folder, over whatever file has that name there.
  void move(Path name, LiveFolder to, Path newName) throws IOException {
    Files.move(at(name), to.at(newName), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    held.close();
  }
}
