package husk.sandboxes.trees;

import java.io.IOException;
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
    make(copy, wanted, staging.place(), name);
    return name;
  }

  private void make(Path copy, Entry wanted, LiveFolder in, Path name) throws IOException {
    switch (wanted) {
      case Entry.File file -> file(copy, file, in, name);
      case Entry.Link(var attributes) -> {
        try (var made = in.createLink(name, Files.readSymbolicLink(copy))) {
          Looks.dress(made, attributes);
        }
      }
      case Entry.Folder folder -> folder(copy, folder, in, name);
      case Entry.Skipped _ -> {}
    }
  }

  private void file(Path copy, Entry.File wanted, LiveFolder in, Path name) throws IOException {
    if (!wanted.hasOtherNames()) {
      write(copy, wanted, in, name);
      return;
    }
    var original = kept.get(wanted.attributes().ino());
    if (original == null) {
      original = staging.fresh();
      write(copy, wanted, staging.place(), original);
      kept.put(wanted.attributes().ino(), original);
    }
    in.share(name, staging.place(), original);
  }

  private static void write(Path copy, Entry.File wanted, LiveFolder in, Path name)
      throws IOException {
    try (var from = Held.file(copy);
        var made = in.create(name)) {
      Contents.copy(from, made);
      Looks.dress(made, wanted.attributes());
    }
  }

  private void folder(Path copy, Entry.Folder wanted, LiveFolder in, Path name) throws IOException {
    in.createFolder(name);
    try (var made = in.enter(name)) {
      for (var child : wanted.children().entrySet()) {
        var inside = Names.path(child.getKey());
        make(copy.resolve(inside), child.getValue(), made, inside);
      }
      Looks.dress(made.held(), wanted.attributes(), movable(wanted));
    }
  }

  /// Only root can move a folder that may not be written to.
  private static int movable(Entry.Folder wanted) {
    var permissions = wanted.attributes().permissions();
    return Looks.MAY_GIVE_AWAY ? permissions : permissions | 0700;
  }
}
