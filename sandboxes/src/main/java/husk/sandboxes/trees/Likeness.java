package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Whether a live file still is what a snapshot has.
final class Likeness {
  private Likeness() {}

  /// Compares content; what can no longer be opened is not alike.
  static boolean sameContent(LiveFolder folder, Path name, Path copy) throws IOException {
    try (var held = folder.read(name);
        var live = held.channel()) {
      return Contents.equal(live, copy);
    } catch (java.nio.file.FileSystemException e) {
      if (!Files.exists(copy)) {
        throw new NoSuchFileException(copy.toString(), null, "the snapshot has lost a file");
      }
      return false;
    }
  }

  static boolean sameLink(LiveFolder folder, Path name, Path copy) throws IOException {
    return folder.target(name).equals(Files.readSymbolicLink(copy));
  }
}
