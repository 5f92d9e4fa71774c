package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Makes entries of a snapshot anew in the staging folder: copies, never the snapshot's own files,
/// which nobody may write to.
final class Rebuild {
  private final Staging staging;

  /// For each file with several names, one that stays in the staging folder to be linked to.
  private final Map<Long, Path> kept = new HashMap<>();

  Rebuild(Staging staging) {
    this.staging = staging;
  }

  /// The name it has in the staging folder.
  Path make(Path copy, Entry wanted) throws IOException {
    var name = staging.fresh();
    make(copy, wanted, staging.place().at(name));
    return name;
  }

  private void make(Path copy, Entry wanted, Path at) throws IOException {
    switch (wanted) {
      case Entry.File file -> file(copy, file, at);
      case Entry.Link(var attributes) -> {
        Files.createSymbolicLink(at, Files.readSymbolicLink(copy));
        Looks.dress(at, attributes);
      }
      case Entry.Folder folder -> folder(copy, folder, at);
      case Entry.Skipped _ -> {}
    }
  }

  private void file(Path copy, Entry.File wanted, Path at) throws IOException {
    if (!wanted.hasOtherNames()) {
      write(copy, wanted, at);
      return;
    }
    var original = kept.get(wanted.attributes().ino());
    if (original == null) {
      original = staging.place().at(staging.fresh());
      write(copy, wanted, original);
      kept.put(wanted.attributes().ino(), original);
    }
    Files.createLink(at, original);
  }

  private static void write(Path copy, Entry.File wanted, Path at) throws IOException {
    try (var from = FileChannel.open(copy)) {
      Contents.copy(from, at);
    }
    Looks.dress(at, wanted.attributes());
  }

  private void folder(Path copy, Entry.Folder wanted, Path at) throws IOException {
    Files.createDirectory(at);
    for (var child : wanted.children().entrySet()) {
      var name = Names.path(child.getKey());
      make(copy.resolve(name), child.getValue(), at.resolve(name));
    }
    Looks.dress(at, wanted.attributes(), movable(wanted));
  }

  /// Only root can move a folder that may not be written to.
  private static int movable(Entry.Folder wanted) {
    var permissions = wanted.attributes().permissions();
    return Looks.MAY_GIVE_AWAY ? permissions : permissions | 0700;
  }
}
