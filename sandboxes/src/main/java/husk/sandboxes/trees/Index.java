package husk.sandboxes.trees;

import java.nio.file.Path;

/// What a snapshot knows of the folder it was taken from.
record Index(Entry.Folder root) {

  static Path fileOf(Path snapshot) {
    return snapshot.resolveSibling(snapshot.getFileName() + ".index");
  }

  /// Whether it was taken from this folder, and may remember how that one's files look now.
  boolean isOf(Attributes folder) {
    return root.attributes().dev() == folder.dev() && root.attributes().ino() == folder.ino();
  }
}
