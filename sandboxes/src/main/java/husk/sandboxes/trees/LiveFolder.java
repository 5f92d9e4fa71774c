package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A folder held open by its descriptor: what is opened, moved and deleted through it is in that
/// very folder, wherever its path leads by now.
///
/// Java can look at a file's `ctime` by path only, so [#attributes] may be deceived by somebody who
/// swaps folders for links at that moment. It decides what is read and replaced, and nothing more.
final class LiveFolder implements AutoCloseable {

  /// Each level holds two descriptors, or three where files are read.
  static final int DEEPEST = 200;

  private final SecureDirectoryStream<Path> stream;
  private final Path path;
  private final int depth;
  private final @Nullable LiveFolder parent;

  /// The folder once more, to open files in; made when first needed.
  private OptionalInt descriptor = OptionalInt.empty();

  private LiveFolder(
      SecureDirectoryStream<Path> stream, Path path, int depth, @Nullable LiveFolder parent) {
    this.stream = stream;
    this.path = path;
    this.depth = depth;
    this.parent = parent;
  }

  @SuppressWarnings("StreamResourceLeak") // closed by close
  static LiveFolder open(Path folder) throws IOException {
    var opened = Files.newDirectoryStream(folder);
    if (opened instanceof SecureDirectoryStream<Path> secure) {
      return new LiveFolder(secure, folder, 0, null);
    }
    opened.close();
    throw new FileSystemException(
        folder.toString(), null, "this system cannot open a folder by its descriptor");
  }

  /// The folder of that name, if it is one and no link.
  LiveFolder enter(Path name) throws IOException {
    if (depth >= DEEPEST) {
      throw new FileSystemException(at(name).toString(), null, "too many folders in each other");
    }
    return new LiveFolder(
        stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), at(name), depth + 1, this);
  }

  /// Enters also where the owner took away its own rights. Those can be given back by path only;
  /// root, who could do harm with that, is never denied in the first place.
  LiveFolder enterByForce(Path name) throws IOException {
    try {
      return enter(name);
    } catch (AccessDeniedException e) {
      if (attributes(name).kind() == Attributes.Kind.FOLDER) {
        Files.setPosixFilePermissions(at(name), PosixFilePermissions.fromString("rwx------"));
      }
      return enter(name);
    }
  }

  /// Who may write here: needed before anything can be moved in or out.
  void becomeWritable() throws IOException {
    var owners = PosixFilePermissions.fromString("rwx------");
    if (!Looks.MAY_GIVE_AWAY && !view().readAttributes().permissions().containsAll(owners)) {
      view().setPermissions(owners);
    }
  }

  List<Path> names() throws IOException {
    var names = new ArrayList<Path>();
    try {
      stream.forEach(entry -> names.add(entry.getFileName()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  Path path() {
    return path;
  }

  int depth() {
    return depth;
  }

  Path at(Path name) {
    return path.resolve(name);
  }

  Attributes attributes(Path name) throws IOException {
    return Attributes.of(at(name));
  }

  /// Of the folder itself.
  PosixFileAttributeView view() {
    return stream.getFileAttributeView(PosixFileAttributeView.class);
  }

  /// Opens a file to read it; links and pipes are refused.
  FileChannel read(Path name) throws IOException {
    return Unhurried.file(descriptor(), name);
  }

  /// If somebody exchanged the folder, it is the other one, which is theirs too: no link is
  /// followed on the way down.
  private int descriptor() throws IOException {
    if (descriptor.isEmpty()) {
      descriptor =
          OptionalInt.of(
              parent == null
                  ? Unhurried.folder(path)
                  : Unhurried.folder(parent.descriptor(), path.getFileName()));
    }
    return descriptor.getAsInt();
  }

  void deleteFile(Path name) throws IOException {
    stream.deleteFile(name);
  }

  void deleteFolder(Path name) throws IOException {
    stream.deleteDirectory(name);
  }

  /// Renames into another folder, over whatever file has that name there.
  void move(Path name, LiveFolder to, Path newName) throws IOException {
    stream.move(name, to.stream, newName);
  }

  @Override
  public void close() throws IOException {
    descriptor.ifPresent(Unhurried::close);
    descriptor = OptionalInt.empty();
    stream.close();
  }
}
