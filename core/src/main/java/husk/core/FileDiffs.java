package husk.core;

import husk.model.FileChanges;
import husk.model.Ids;
import husk.sandboxes.trees.PathList;
import husk.sandboxes.trees.TreeSnapshot;
import husk.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Compares the files of kernels that have a sandbox of their own: with what was kept of them, and
/// with each other's.
final class FileDiffs {
  /// Where kernels see what is kept of them.
  private static final Map<String, String> INSIDE =
      Map.of("workspace", "/workspace/", "home", "/home/husk/");

  private final KernelFiles files;

  FileDiffs(KernelFiles files) {
    this.files = files;
  }

  /// @param more whether there were more than are listed, or some could not be compared
  record Compared(FileChanges changes, boolean more) {}

  /// What became of a kernel's files since they were kept; empty where they are not its own.
  Optional<Compared> since(StoredLaunch stored, String snapshotId) {
    return KernelFiles.covered(stored)
        ? Optional.of(compare(stored, snapshotId, stored))
        : Optional.empty();
  }

  /// How the files of `after` differ from those of `before`, neither of whom runs meanwhile.
  Optional<Compared> between(StoredLaunch before, StoredLaunch after) {
    if (!KernelFiles.covered(before) || !KernelFiles.covered(after)) {
      return Optional.empty();
    }
    var now = Ids.fresh().substring(0, 12);
    try {
      files.keep(before, now);
      return Optional.of(compare(before, now, after));
    } finally {
      files.drop(before, now);
    }
  }

  private Compared compare(StoredLaunch before, String snapshotId, StoredLaunch after) {
    var gathered = new Gathered();
    var kept = KernelFiles.kept(files.place(before), snapshotId);
    for (var folder : KernelFiles.FOLDERS) {
      var changes =
          TreeSnapshot.difference(kept.resolve(folder), files.place(after).files().resolve(folder));
      var inside = INSIDE.getOrDefault(folder, folder + "/");
      gathered.add(inside, changes.added(), gathered.added);
      gathered.add(inside, changes.changed(), gathered.changed);
      gathered.add(inside, changes.removed(), gathered.deleted);
    }
    files.running(after).ifPresent(now -> temporary(kept, now, gathered));
    return new Compared(
        new FileChanges(gathered.added, gathered.changed, gathered.deleted), gathered.more);
  }

  /// They are memory, so what was kept of them is compared with what is packed now.
  private static void temporary(Path kept, Sandbox now, Gathered gathered) {
    for (var folder : new TreeSet<>(TemporaryFiles.folders())) {
      try {
        gathered.add(TemporaryDiffs.of(folder, kept, now));
      } catch (IOException unreadable) {
        gathered.more = true;
      }
    }
  }

  private static final class Gathered {
    final List<String> added = new ArrayList<>();
    final List<String> changed = new ArrayList<>();
    final List<String> deleted = new ArrayList<>();
    boolean more;

    void add(String inside, PathList paths, List<String> to) {
      paths.first().stream().sorted().map(inside::concat).forEach(to::add);
      more |= paths.count() > paths.first().size();
    }

    void add(TemporaryDiffs.Sides sides) {
      more |= !sides.whole();
      sides
          .after()
          .forEach(
              (path, looks) -> {
                if (!sides.before().containsKey(path)) {
                  add(path, added);
                } else if (!looks.equals(sides.before().get(path))) {
                  add(path, changed);
                }
              });
      sides.before().keySet().stream()
          .filter(path -> !sides.after().containsKey(path))
          .forEach(path -> add(path, deleted));
    }

    private void add(String path, List<String> to) {
      if (to.size() < PathList.LISTED) {
        to.add(path);
      } else {
        more = true;
      }
    }
  }
}
