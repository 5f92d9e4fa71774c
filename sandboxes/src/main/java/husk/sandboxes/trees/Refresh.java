package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Lets an index know the files that a restore has written or has found equal, so that the next
/// look at them is cheap again.
final class Refresh {
  private final Settled settled = Settled.now();
  private final List<Slot> written = new ArrayList<>();
  private boolean changed;

  /// A file's place in the index, and where it lives.
  private record Slot(Map<String, Entry> siblings, String key, Path live) {}

  /// Its content was compared after it had these attributes.
  void equal(Map<String, Entry> siblings, String key, Attributes now) {
    siblings.put(key, new Entry.File(now, settled.covers(now)));
    changed = true;
  }

  /// It has just been renamed into place. Its attributes are read at the end: files with several
  /// names go on changing until the last is there.
  void written(Map<String, Entry> siblings, String key, Path live) {
    switch (siblings.get(key)) {
      case Entry.File _ -> written.add(new Slot(siblings, key, live));
      case Entry.Folder(var attributes, var children) ->
          children
              .keySet()
              .forEach(name -> written(children, name, live.resolve(Names.path(name))));
      case null, default -> {}
    }
  }

  /// Whether there is anything to write down.
  boolean finish() {
    for (var slot : written) {
      try {
        look(slot);
      } catch (IOException e) {
        // It is gone again, or out of reach: what the index says will not match, as it should.
      }
    }
    return changed || !written.isEmpty();
  }

  /// A file this young is never settled: whoever wrote to it since is found by its content.
  private void look(Slot slot) throws IOException {
    var now = Attributes.of(slot.live);
    if (slot.siblings.get(slot.key) instanceof Entry.File(var before, var _)
        && now.kind() == Attributes.Kind.FILE
        && now.size() == before.size()
        && now.mtime() == before.mtime()
        && now.nlink() == before.nlink()
        && now.sameLooks(before)) {
      slot.siblings.put(slot.key, new Entry.File(now, false));
    }
  }
}
