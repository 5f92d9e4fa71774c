package husk.sandboxes;

import husk.model.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Takes folders away at once, and removes what is in them when there is time.
///
/// What a sandbox wrote may be many files: whoever removes it is not to wait for each. A folder is
/// renamed within its parent, where the next process to come finds it if this one is killed.
final class Trash implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");
  private static final String MARK = "gone-";

  private final ExecutorService remover = Executors.newVirtualThreadPerTaskExecutor();

  /// Empties what an earlier process had no time for.
  void recover(List<Path> parents) {
    for (var parent : parents) {
      try (var found = Files.newDirectoryStream(parent, MARK + "*")) {
        found.forEach(folder -> remover.execute(() -> remove(folder)));
      } catch (IOException e) {
        // There is no such folder yet.
      }
    }
  }

  /// Nothing is at its place when this returns.
  void take(Path folder) {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    var gone = folder.resolveSibling(MARK + Ids.fresh());
    try {
      Files.move(folder, gone);
      remover.execute(() -> remove(gone));
    } catch (IOException | java.util.concurrent.RejectedExecutionException e) {
      Trees.remove(folder);
      Trees.remove(gone);
    }
  }

  private static void remove(Path folder) {
    try {
      Trees.remove(folder);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot remove what is left of a sandbox: " + folder, e);
    }
  }

  /// Waits until all of it is gone.
  @Override
  public void close() {
    remover.close();
  }
}
