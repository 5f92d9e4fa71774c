package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Lets an index know the files that a restore has written or has found equal, so that the next
/// look at them is cheap again.
final class Refresh {
  private final Settled settled = Settled.now();

  /// By the way from the root to the folder that they are in.
  private final Map<List<Path>, List<Slot>> written = new LinkedHashMap<>();

  private boolean changed;

  /// A file's place in the index.
  private record Slot(Map<String, Entry> siblings, String key) {}

  /// Its content was compared after it had these attributes.
  void equal(Map<String, Entry> siblings, String key, Attributes now) {
    siblings.put(key, new Entry.File(now, settled.covers(now)));
    changed = true;
  }

  /// It has just been renamed into place. Its attributes are read at the end: files with several
  /// names go on changing until the last is there.
  ///
  /// @param way the names from the root to the folder it is in
  void written(Map<String, Entry> siblings, String key, List<Path> way) {
    switch (siblings.get(key)) {
      case Entry.File _ ->
          written.computeIfAbsent(way, _ -> new ArrayList<>()).add(new Slot(siblings, key));
      case Entry.Folder(var attributes, var children) -> {
        var further = new ArrayList<>(way);
        further.add(Names.path(key));
        children.keySet().forEach(name -> written(children, name, List.copyOf(further)));
      }
      case null, default -> {}
    }
  }

  /// Whether there is anything to write down.
  boolean finish(LiveFolder root) {
    for (var folder : written.entrySet()) {
      try {
        look(root, folder.getKey(), folder.getValue());
      } catch (IOException e) {
        // It is gone again, or out of reach: what the index says will not match, as it should.
      }
    }
    return changed || !written.isEmpty();
  }

  private static void look(LiveFolder folder, List<Path> way, List<Slot> slots) throws IOException {
    if (way.isEmpty()) {
      for (var slot : slots) {
        look(folder, slot);
      }
      return;
    }
    try (var next = folder.enter(way.getFirst())) {
      look(next, way.subList(1, way.size()), slots);
    }
  }

  /// A file this young is never settled: whoever wrote to it since is found by its content.
  private static void look(LiveFolder folder, Slot slot) {
    if (!(slot.siblings.get(slot.key) instanceof Entry.File(var before, var _))) {
      return;
    }
    try {
      var now = folder.attributes(Names.path(slot.key));
      if (now.size() == before.size()
          && now.mtime() == before.mtime()
          && now.nlink() == before.nlink()
          && now.looksLike(before)) {
        slot.siblings.put(slot.key, new Entry.File(now, false));
      }
    } catch (IOException e) {
      // This one is gone again.
    }
  }
}
