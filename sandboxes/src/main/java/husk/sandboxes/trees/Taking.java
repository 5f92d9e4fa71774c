package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes the copy of a folder, one level at a time.
final class Taking {

  /// Leaves room for one more name, and for a longer path to restore by.
  private static final int LONGEST_PATH = 3700;

  /// Copying this much takes longer than waiting for a file to settle.
  private static final long WORTH_WAITING = 8L * 1024 * 1024;

  private static final int TICKS_MILLIS = 25;

  private final Settled settled = Settled.now();
  private final PathCollector skipped = new PathCollector();

  /// For each file with several names, the first copy.
  private final Map<Long, Path> linked = new HashMap<>();

  private final Attributes root;
  private int files;
  private int copied;
  private long bytes;

  Taking(LiveFolder source) throws IOException {
    this.root = source.attributes();
  }

  /// A folder of the previous snapshot, or nothing to compare with.
  private record Earlier(Path path, Map<String, Entry> children) {
    static final Earlier NONE = new Earlier(Path.of(""), Map.of());

    @Nullable Entry child(Path name) {
      return children.isEmpty() ? null : children.get(Names.key(name));
    }

    Earlier folder(Path name) {
      return child(name) instanceof Entry.Folder(var attributes, var inside)
          ? new Earlier(path.resolve(name), inside)
          : NONE;
    }
  }

  Index take(LiveFolder source, Path target, Optional<Path> previous) throws IOException {
    var earlier = Earlier.NONE;
    if (previous.isPresent()) {
      var path = previous.get();
      earlier = new Earlier(path, IndexFile.read(Index.fileOf(path)).root().children());
    }
    return new Index(folder(source, target, earlier, ""));
  }

  Taken taken() {
    return new Taken(files, copied, bytes, skipped.list());
  }

  private Entry.Folder folder(LiveFolder live, Path copy, Earlier earlier, String shown)
      throws IOException {
    var attributes = live.attributes();
    Files.createDirectory(copy);
    var children = new HashMap<String, Entry>();
    for (var name : live.names()) {
      var entry = entry(live, name, copy.resolve(name), earlier, shown + name);
      if (entry != null) {
        children.put(Names.key(name), entry);
      }
    }
    // The owner can always go on here, to link from it and to remove it; the index has the truth.
    try (var made = Held.at(copy)) {
      Looks.dress(made, attributes, attributes.permissions() | 0700);
    }
    return new Entry.Folder(attributes, children);
  }

  /// What is at that name, or null if that has vanished meanwhile.
  private @Nullable Entry entry(
      LiveFolder live, Path name, Path copy, Earlier earlier, String shown) throws IOException {
    Attributes now;
    try {
      now = live.attributes(name);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) {
      return skip(shown, reason(e));
    }
    return switch (now.kind()) {
      case FILE -> file(live, name, now, copy, earlier, shown);
      case LINK -> link(live, name, now, copy);
      case FOLDER -> subfolder(live, name, now, copy, earlier, shown);
      case OTHER -> skip(shown, "neither file, folder nor link");
    };
  }

  private Entry skip(String shown, String why) {
    skipped.add(shown + ": " + why);
    return new Entry.Skipped(why);
  }

  private static String reason(FileSystemException e) {
    var why = e.getReason();
    return e instanceof AccessDeniedException ? "not readable" : why == null ? "unreadable" : why;
  }

  private @Nullable Entry subfolder(
      LiveFolder live, Path name, Attributes now, Path copy, Earlier earlier, String shown)
      throws IOException {
    if (now.dev() != root.dev()) {
      return skip(shown, "another file system is mounted there");
    }
    if (live.depth() + 1 >= LiveFolder.DEEPEST || length(copy) > LONGEST_PATH) {
      return skip(shown, "too many folders in each other");
    }
    LiveFolder inner;
    try {
      inner = live.enter(name);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) {
      return skip(shown, reason(e));
    }
    try (inner) {
      return folder(inner, copy, earlier.folder(name), shown + "/");
    }
  }

  private static int length(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static @Nullable Entry link(LiveFolder live, Path name, Attributes now, Path copy)
      throws IOException {
    Path target;
    try {
      target = live.target(name);
      if (!live.attributes(name).sameStamp(now)) {
        return null;
      }
    } catch (FileSystemException e) {
      // It is no link any more; whatever it became is newer than this snapshot.
      return null;
    }
    Files.createSymbolicLink(copy, target);
    try (var made = Held.at(copy)) {
      Looks.dress(made, now);
    }
    return new Entry.Link(now);
  }

  private @Nullable Entry file(
      LiveFolder live, Path name, Attributes now, Path copy, Earlier earlier, String shown)
      throws IOException {
    if (earlier.child(name) instanceof Entry.File before
        && isUnchanged(live, name, now, before, earlier.path.resolve(name))
        && shared(copy, earlier.path.resolve(name))) {
      files++;
      return new Entry.File(now, settled.covers(now));
    }
    var first = now.nlink() > 1 ? linked.get(now.ino()) : null;
    if (first != null && shared(copy, first)) {
      files++;
      return new Entry.File(now, settled.covers(now));
    }
    return copy(live, name, copy, shown);
  }

  private static boolean isUnchanged(
      LiveFolder live, Path name, Attributes now, Entry.File before, Path copy) throws IOException {
    return before.attributes().sameStamp(now)
        && (before.settled() || Likeness.sameContent(live, name, copy));
  }

  /// A file can have no more than so many names, and not every file system lets it have two.
  private static boolean shared(Path copy, Path original) {
    try {
      Files.createLink(copy, original);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private @Nullable Entry copy(LiveFolder live, Path name, Path copy, String shown)
      throws IOException {
    Held held;
    try {
      held = live.read(name);
    } catch (NoSuchFileException e) {
      return null;
    } catch (FileSystemException e) {
      return skip(shown, reason(e));
    }
    try (held) {
      return copy(held, copy, shown);
    }
  }

  /// What the copy looks like is what the very file that is read looks like: whoever exchanges
  /// files meanwhile must not have one with another's looks.
  private Entry copy(Held held, Path copy, String shown) throws IOException {
    var seen = held.attributes();
    var trusted = settle(seen);
    try (var made = Held.create(copy)) {
      bytes += Contents.copy(held, made);
      Looks.dress(made, seen);
    } catch (IOException e) {
      if (isStill(held, seen)) {
        throw e;
      }
      Files.deleteIfExists(copy);
      return skip(shown, "it became something else while it was read");
    }
    files++;
    copied++;
    if (seen.nlink() > 1) {
      linked.put(seen.ino(), copy);
    }
    return new Entry.File(seen, trusted && isStill(held, seen));
  }

  /// Whether a change from now on will show.
  private boolean settle(Attributes seen) {
    if (settled.covers(seen)) {
      return true;
    }
    if (seen.size() < WORTH_WAITING) {
      return false;
    }
    try {
      Thread.sleep(TICKS_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return Settled.now().covers(seen);
  }

  private static boolean isStill(Held held, Attributes seen) {
    try {
      return held.attributes().sameStamp(seen);
    } catch (IOException e) {
      return false;
    }
  }
}
