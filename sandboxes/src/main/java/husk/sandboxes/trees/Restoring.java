package husk.sandboxes.trees;

import husk.sandboxes.trees.Attributes.Kind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes a live folder equal to a snapshot, leaving alone what is.
final class Restoring {
  private static final int ATTEMPTS = 5;

  private final Changes.Collector changes = new Changes.Collector();
  private final Refresh refresh = new Refresh();
  private final LiveFolder root;
  private final long dev;
  private final Staging staging;
  private final Rebuild rebuild;
  private final Removal removal;

  Restoring(LiveFolder root, Staging staging) throws IOException {
    this.root = root;
    this.dev = root.attributes().dev();
    this.staging = staging;
    this.rebuild = new Rebuild(staging);
    this.removal = new Removal(dev, staging.deepPlace(), changes.removed::add);
  }

  void restore(Path snapshot, Index index) throws IOException {
    var wanted = index.root();
    folder(root, snapshot, wanted, "");
  }

  Changes changes() {
    return changes.changes();
  }

  Refresh refresh() {
    return refresh;
  }

  private void folder(LiveFolder live, Path copy, Entry.Folder wanted, String shown)
      throws IOException {
    live.becomeWritable();
    for (var name : live.names()) {
      if (!wanted.children().containsKey(Names.key(name))) {
        removal.remove(live, name, shown + name);
      }
    }
    for (var key : Set.copyOf(wanted.children().keySet())) {
      child(live, copy, wanted.children(), key, shown);
    }
    Looks.dress(live.held(), wanted.attributes());
  }

  private void child(
      LiveFolder live, Path folder, Map<String, Entry> siblings, String key, String shown)
      throws IOException {
    var name = Names.path(key);
    var copy = folder.resolve(name);
    var now = look(live, name);
    var wanted = siblings.get(key);
    var path = shown + name;
    if (wanted == null || wanted instanceof Entry.Skipped || isMounted(now)) {
      return;
    }
    if (now != null && wanted instanceof Entry.Folder inner && now.kind() == Kind.FOLDER) {
      if (!now.looksLike(inner.attributes())) {
        changes.changed.add(path + "/");
      }
      try (var entered = live.enterByForce(name)) {
        folder(entered, copy, inner, path + "/");
      }
      return;
    }
    if (now != null && isKept(live, name, copy, siblings, key, now)) {
      return;
    }
    put(live, name, copy, siblings, key, path, now);
  }

  private static @Nullable Attributes look(LiveFolder live, Path name) throws IOException {
    try {
      return live.attributes(name);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private boolean isMounted(@Nullable Attributes now) {
    return now != null && now.kind() == Kind.FOLDER && now.dev() != dev;
  }

  private boolean isKept(
      LiveFolder live,
      Path name,
      Path copy,
      Map<String, Entry> siblings,
      String key,
      Attributes now)
      throws IOException {
    return switch (siblings.get(key)) {
      case Entry.Link(var before) ->
          now.kind() == Kind.LINK && now.looksLike(before) && Likeness.sameLink(live, name, copy);
      case Entry.File file -> {
        if (file.untouched(now)) {
          yield true;
        }
        var equal = isEqual(file, now) && Likeness.sameContent(live, name, copy);
        if (equal) {
          refresh.equal(siblings, key, now);
        }
        yield equal;
      }
      case null, default -> false;
    };
  }

  /// As far as its attributes tell. Files with several names are kept together or made anew
  /// together: of those, one that was touched says that all were.
  private static boolean isEqual(Entry.File wanted, Attributes now) {
    var before = wanted.attributes();
    return now.kind() == Kind.FILE
        && now.nlink() == 1
        && before.nlink() == 1
        && now.size() == before.size()
        && now.mtime() == before.mtime()
        && now.looksLike(before);
  }

  private void put(
      LiveFolder live,
      Path name,
      Path copy,
      Map<String, Entry> siblings,
      String key,
      String shown,
      @Nullable Attributes now)
      throws IOException {
    var wanted = siblings.get(key);
    if (wanted == null) {
      return;
    }
    var made = rebuild.make(copy, wanted);
    moveIn(made, live, name, wanted instanceof Entry.Folder, now);
    if (now == null) {
      changes.added.addAll(shown, wanted);
    } else {
      changes.changed.addAll(shown, wanted);
    }
    refresh.written(siblings, key, live.way());
    if (wanted instanceof Entry.Folder folder && !Looks.MAY_GIVE_AWAY) {
      tighten(live, name, folder);
    }
  }

  /// A file takes the place of another at once. A folder cannot, so one of the two goes first.
  private void moveIn(
      Path made, LiveFolder live, Path name, boolean folder, @Nullable Attributes now)
      throws IOException {
    if (now != null && (folder || now.kind() == Kind.FOLDER)) {
      quietly().remove(live, name, "");
    }
    for (var attempt = 1; ; attempt++) {
      try {
        staging.place().move(made, live, name);
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        quietly().remove(live, name, "");
      }
    }
  }

  private Removal quietly() {
    return new Removal(dev, staging.deepPlace(), _ -> {});
  }

  /// Takes away the rights that a folder needed to be moved.
  private static void tighten(LiveFolder live, Path name, Entry.Folder wanted) throws IOException {
    try (var entered = live.enter(name)) {
      for (var child : wanted.children().entrySet()) {
        if (child.getValue() instanceof Entry.Folder inner) {
          tighten(entered, Names.path(child.getKey()), inner);
        }
      }
      if ((wanted.attributes().permissions() & 0700) != 0700) {
        entered.held().mode(wanted.attributes().permissions());
      }
    }
  }
}
