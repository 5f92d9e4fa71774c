package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/// Removes entries of a folder, links as links.
final class Removal {
  private static final int ATTEMPTS = 5;

  private final long dev;
  private final DeepPlace deepPlace;
  private final Consumer<String> removed;

  /// Where folders go that lie too deep to be entered where they are.
  @FunctionalInterface
  interface DeepPlace {
    void take(LiveFolder parent, Path name) throws IOException;
  }

  /// @param dev the one file system it stays on
  Removal(long dev, DeepPlace deepPlace, Consumer<String> removed) {
    this.dev = dev;
    this.deepPlace = deepPlace;
    this.removed = removed;
  }

  /// @param shown its path, for the list
  void remove(LiveFolder parent, Path name, String shown) throws IOException {
    try {
      parent.deleteFile(name);
      removed.accept(shown);
    } catch (NoSuchFileException e) {
      // Somebody else was faster.
    } catch (IOException e) {
      // The kernel says so of folders. Of anything else it says it once more.
      removeFolder(parent, name, shown, e);
    }
  }

  private void removeFolder(LiveFolder parent, Path name, String shown, IOException reason)
      throws IOException {
    if (parent.depth() >= LiveFolder.DEEPEST) {
      deepPlace.take(parent, name);
      return;
    }
    if (isElsewhere(parent, name, reason)) {
      return;
    }
    removed.accept(shown + "/");
    for (var attempt = 1; ; attempt++) {
      empty(parent, name, shown);
      try {
        parent.deleteFolder(name);
        return;
      } catch (NoSuchFileException e) {
        return;
      } catch (DirectoryNotEmptyException e) {
        // Somebody is filling it as we go.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private boolean isElsewhere(LiveFolder parent, Path name, IOException reason) throws IOException {
    Attributes found;
    try {
      found = parent.attributes(name);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      // What cannot be looked at may still be entered.
      return false;
    }
    if (found.kind() != Attributes.Kind.FOLDER) {
      throw reason;
    }
    return found.dev() != dev;
  }

  private void empty(LiveFolder parent, Path name, String shown) throws IOException {
    try (var folder = parent.enterByForce(name)) {
      folder.becomeWritable();
      for (var child : folder.names()) {
        remove(folder, child, shown + "/" + child);
      }
    } catch (NoSuchFileException e) {
      // Somebody else was faster.
    }
  }
}
