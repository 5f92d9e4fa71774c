package husk.sandboxes;

import husk.sandboxes.trees.TreeRemoval;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Folders for one owner, and their end.
final class Trees {
  private Trees() {}

  static void make(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Removes a tree that nobody uses any more.
  static void remove(Path tree) {
    try {
      TreeRemoval.remove(tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
