package husk.sandboxes.trees;

import husk.sandboxes.trees.Attributes.Kind;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;

/// Finds what a live folder has that a snapshot has not, and the other way round.
final class Comparing {
  private final Changes.Collector changes = new Changes.Collector();

  Changes compare(Path snapshot, Index index, Path live) throws IOException {
    try (var root = LiveFolder.open(live)) {
      folder(root, snapshot, index.root(), "");
    }
    return changes.changes();
  }

  private void folder(LiveFolder live, Path copy, Entry.Folder before, String shown)
      throws IOException {
    var missing = new HashSet<>(before.children().keySet());
    for (var name : live.names()) {
      var key = Names.key(name);
      var entry = before.children().get(key);
      missing.remove(key);
      try {
        var now = live.attributes(name);
        if (entry == null) {
          added(live, name, now, shown + name);
        } else {
          compare(live, name, now, copy.resolve(name), entry, shown + name);
        }
      } catch (NoSuchFileException e) {
        missing.add(key);
      } catch (FileSystemException e) {
        changes.changed.add(shown + name);
      }
    }
    for (var key : missing) {
      var entry = before.children().get(key);
      if (entry != null) {
        changes.removed.addAll(shown + Names.shown(key), entry);
      }
    }
  }

  private void added(LiveFolder live, Path name, Attributes now, String shown) throws IOException {
    if (now.kind() != Kind.FOLDER) {
      changes.added.add(shown);
      return;
    }
    changes.added.add(shown + "/");
    if (live.depth() + 1 >= LiveFolder.DEEPEST) {
      return;
    }
    try (var inner = live.enter(name)) {
      for (var child : inner.names()) {
        added(inner, child, inner.attributes(child), shown + "/" + child);
      }
    } catch (FileSystemException e) {
      // It is out of reach; that it is there has been said.
    }
  }

  private void compare(
      LiveFolder live, Path name, Attributes now, Path copy, Entry before, String shown)
      throws IOException {
    switch (before) {
      case Entry.Skipped _ -> {}
      case Entry.File file when now.kind() == Kind.FILE -> {
        if (isChanged(live, name, now, copy, file)) {
          changes.changed.add(shown);
        }
      }
      case Entry.Link(var attributes) when now.kind() == Kind.LINK -> {
        if (!now.looksLike(attributes) || !Likeness.sameLink(live, name, copy)) {
          changes.changed.add(shown);
        }
      }
      case Entry.Folder inner when now.kind() == Kind.FOLDER ->
          subfolder(live, name, now, copy, inner, shown);
      default -> {
        changes.removed.addAll(shown, before);
        added(live, name, now, shown);
      }
    }
  }

  private static boolean isChanged(
      LiveFolder live, Path name, Attributes now, Path copy, Entry.File before) throws IOException {
    return !before.untouched(now)
        && (now.size() != before.attributes().size()
            || !now.looksLike(before.attributes())
            || !Likeness.sameContent(live, name, copy));
  }

  private void subfolder(
      LiveFolder live, Path name, Attributes now, Path copy, Entry.Folder before, String shown)
      throws IOException {
    if (!now.looksLike(before.attributes())) {
      changes.changed.add(shown + "/");
    }
    try (var inner = live.enter(name)) {
      folder(inner, copy, before, shown + "/");
    }
  }
}
