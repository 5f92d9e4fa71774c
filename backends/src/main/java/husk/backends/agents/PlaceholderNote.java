package husk.backends.agents;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One placeholder, as a sandbox wrote it down.
///
/// @param key what tells it from anything else that was ever at the path
record PlaceholderNote(String key, Path path) {
  private static final String BETWEEN = "\t";

  static PlaceholderNote of(Path path) throws IOException {
    return new PlaceholderNote(key(attributes(path)), path);
  }

  static List<PlaceholderNote> read(Path notes) throws IOException {
    var found = new ArrayList<PlaceholderNote>();
    if (Files.isRegularFile(notes)) {
      // Separated by NUL: a path may hold anything else.
      for (var line : Files.readString(notes).split("\0")) {
        var parts = line.split(BETWEEN, 2);
        if (parts.length == 2) {
          found.add(new PlaceholderNote(parts[0], Path.of(parts[1])));
        }
      }
    }
    return found;
  }

  static void write(Path notes, List<PlaceholderNote> all) throws IOException {
    var text = new StringBuilder();
    all.forEach(note -> text.append(note.key).append(BETWEEN).append(note.path).append('\0'));
    if (!all.isEmpty()) {
      Files.writeString(notes, text);
    }
  }

  /// Whether it is still there and still nothing.
  boolean stands() {
    try {
      var found = attributes(path);
      return key(found).equals(key) && (found.isDirectory() || found.size() == 0);
    } catch (IOException gone) {
      return false;
    }
  }

  void remove() throws IOException {
    try {
      if (stands()) {
        Files.deleteIfExists(path);
      }
    } catch (DirectoryNotEmptyException e) {
      // Somebody has put something there, who will want to keep it.
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static String key(BasicFileAttributes found) {
    return Optional.ofNullable(found.fileKey()).map(Objects::toString).orElse("")
        + (found.isDirectory() ? "d" : "f");
  }
}
