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
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A folder held open by its descriptor: what is opened, moved and deleted through it is in that
/// very folder, wherever its path leads by now.
///
/// Java can look at a file's `ctime` by path only, so [#attributes] may be deceived by somebody who
/// swaps folders for links at that moment. It decides what is read and replaced, and nothing more.
final class LiveFolder implements AutoCloseable {

  /// Each level holds two descriptors.
  static final int DEEPEST = 256;

  private static final Set<? extends java.nio.file.OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private final SecureDirectoryStream<Path> stream;
  private final Path path;
  private final int depth;

  private LiveFolder(SecureDirectoryStream<Path> stream, Path path, int depth) {
    this.stream = stream;
    this.path = path;
    this.depth = depth;
  }

  @SuppressWarnings("StreamResourceLeak") // closed by close
  static LiveFolder open(Path folder) throws IOException {
    var opened = Files.newDirectoryStream(folder);
    if (opened instanceof SecureDirectoryStream<Path> secure) {
      return new LiveFolder(secure, folder, 0);
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
        stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), at(name), depth + 1);
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
    if (!Looks.MAY_GIVE_AWAY && (Attributes.of(path).mode() & 0700) != 0700) {
      view().setPermissions(PosixFilePermissions.fromString("rwx------"));
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

  /// Opens a file to read it; a link is refused.
  FileChannel read(Path name) throws IOException {
    try {
      return (FileChannel) stream.newByteChannel(name, READ);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      // So Java says that it has become a link.
      throw new FileSystemException(at(name).toString(), null, e.getMessage());
    }
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
    stream.close();
  }
}
