package husk.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/// The files of a sandbox, seen with the sandbox's own eyes and rights: what a symbolic link inside
/// points to is looked for inside.
///
/// Paths are absolute. What goes wrong is a [husk.model.Problem]; an [IOException] is the line's.
public interface SandboxFiles {
  /// The contents, to be closed.
  InputStream read(String path) throws IOException;

  /// A new file or a new content; in place only once it is whole, when the stream is closed. After
  /// an exception nothing has changed.
  void write(String path, int mode, InputStream contents) throws IOException;

  List<FileEntry> list(String path) throws IOException;

  FileEntry stat(String path) throws IOException;

  void makeDirectory(String path, boolean parents) throws IOException;

  void remove(String path, boolean recursive) throws IOException;

  /// Removes what is in a folder, but for some of the names in it.
  default void emptyBut(String path, List<String> names) throws IOException {
    for (var entry : list(path)) {
      if (!names.contains(entry.name())) {
        remove(path + "/" + entry.name(), true);
      }
    }
  }

  void move(String from, String to) throws IOException;

  /// A folder's contents as a tar stream, written to `out`.
  void pack(String path, OutputStream out) throws IOException;

  /// The same but for some of the names in it, where a backend can.
  default void packWithout(String path, List<String> names, OutputStream out) throws IOException {
    if (!names.isEmpty()) {
      throw new UnsupportedOperationException("nothing can be left out of " + path);
    }
    pack(path, out);
  }

  /// The contents of a tar stream, put into a folder.
  void unpack(String path, InputStream tar) throws IOException;
}
