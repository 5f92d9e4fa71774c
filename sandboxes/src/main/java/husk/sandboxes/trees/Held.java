package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/// A file, folder or link held open by its descriptor: what is read of it and done to it concerns
/// that very one, whatever has its name by now.
///
/// Java does most things by path only; this one leads to what is held, and nobody can change that.
record Held(int descriptor) implements AutoCloseable {

  /// A folder that others do not exchange; links on the way are followed.
  static Held folder(Path path) throws IOException {
    return new Held(Unhurried.folder(path));
  }

  /// What is at a path that others cannot change the way to; of a link, the link itself.
  static Held at(Path path) throws IOException {
    return new Held(Unhurried.anything(Unhurried.NO_FOLDER, path));
  }

  /// A file at a path that others cannot change the way to, to be read.
  static Held file(Path path) throws IOException {
    return new Held(Unhurried.file(Unhurried.NO_FOLDER, path));
  }

  /// A new file at a path that others cannot change the way to.
  static Held create(Path path) throws IOException {
    return new Held(Unhurried.create(Unhurried.NO_FOLDER, path));
  }

  /// A folder in this one, if it is one and no link.
  Held folderIn(Path name) throws IOException {
    return new Held(Unhurried.folder(descriptor, name));
  }

  /// Whatever has that name in this folder, also if nobody may read it.
  Held anythingIn(Path name) throws IOException {
    return new Held(Unhurried.anything(descriptor, name));
  }

  Held createIn(Path name) throws IOException {
    return new Held(Unhurried.create(descriptor, name));
  }

  /// A file in this folder, to be read; what is no file, or a link to one, is refused.
  Held fileIn(Path name) throws IOException {
    var opened = new Held(Unhurried.file(descriptor, name));
    try {
      if (opened.attributes().kind() == Attributes.Kind.FILE) {
        return opened;
      }
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    opened.close();
    throw new FileSystemException(name.toString(), null, "it is no file");
  }

  /// Of what has that name in this folder; of a link, the link's own.
  Attributes attributesOf(Path name) throws IOException {
    return Stat.of(descriptor, name);
  }

  Path path() {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  Attributes attributes() throws IOException {
    return Stat.of(descriptor);
  }

  /// The same file once more, for Java.
  FileChannel channel(OpenOption... options) throws IOException {
    return FileChannel.open(path(), options);
  }

  void modified(long nanos) throws IOException {
    Stat.setModified(path(), nanos);
  }

  void mode(int permissions) throws IOException {
    Files.setAttribute(path(), "unix:mode", permissions);
  }

  @Override
  public void close() {
    Unhurried.close(descriptor);
  }
}
