package husk.core;

import husk.kernels.PrivateFiles;
import husk.sandboxes.Sandboxes;
import husk.sandboxes.trees.TreeSnapshot;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The files of kernels that have a sandbox of their own: what they keep in their workspace and
/// their home directory. Folders of the host that are mounted inside, and what others share, are
/// nobody's to take back.
final class KernelFiles {
  static final List<String> FOLDERS = List.of("workspace", "home");

  private static final int LOCKS = 256;

  private final Supplier<Sandboxes> sandboxes;

  /// What is being kept shares files with what was kept before: that must not go meanwhile. Several
  /// kernels may have one in common.
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  KernelFiles(Supplier<Sandboxes> sandboxes) {
    this.sandboxes = sandboxes;
  }

  /// Whether a kernel's files can be kept and taken back.
  static boolean covered(StoredLaunch stored) {
    return stored.home().filter(KernelHome::own).isPresent();
  }

  /// Keeps them as they are now; false where they are not a kernel's own.
  boolean keep(StoredLaunch stored, String snapshotId) {
    if (!covered(stored)) {
      return false;
    }
    var lock = lock(stored);
    lock.lock();
    try {
      take(stored, snapshotId);
    } finally {
      lock.unlock();
    }
    return true;
  }

  private ReentrantLock lock(StoredLaunch stored) {
    return locks.get(Math.floorMod(home(stored).hashCode(), LOCKS));
  }

  private void take(StoredLaunch stored, String snapshotId) {
    var place = place(stored);
    var previous = latest(place);
    var target = prepared(kept(place, snapshotId));
    inEachFolder(
        folder ->
            TreeSnapshot.take(
                place.files().resolve(folder),
                target.resolve(folder),
                previous.map(known -> known.resolve(folder))),
        () -> running(stored).ifPresent(inside -> TemporaryFiles.keep(inside, target)));
  }

  private static Path prepared(Path folder) {
    PrivateFiles.directory(folder);
    return folder;
  }

  /// Brings the kernel's own folders back to what was kept.
  void restore(StoredLaunch stored, String snapshotId) {
    fill(stored, snapshotId, stored);
  }

  /// Puts what was kept of a kernel's files where another's are, if they are its own.
  void fill(StoredLaunch stored, String snapshotId, StoredLaunch other) {
    if (!covered(other)) {
      return;
    }
    var kept = kept(place(stored), snapshotId);
    var target = place(other).files();
    inEachFolder(
        folder -> {
          if (Files.isDirectory(kept.resolve(folder))) {
            TreeSnapshot.restore(kept.resolve(folder), target.resolve(folder));
          }
        },
        () -> running(other).ifPresent(inside -> TemporaryFiles.restore(inside, kept)));
  }

  /// Mostly it is little in many places: at once it is sooner done.
  private static void inEachFolder(Consumer<String> work, Runnable inTemporaryOnes) {
    try (var aside = Executors.newVirtualThreadPerTaskExecutor()) {
      var begun =
          FOLDERS.stream()
              .map(folder -> CompletableFuture.runAsync(() -> work.accept(folder), aside))
              .toList();
      inTemporaryOnes.run();
      begun.forEach(Outcome::of);
    }
  }

  Optional<Sandbox> running(StoredLaunch stored) {
    return sandboxes.get().running(home(stored));
  }

  void drop(StoredLaunch stored, String snapshotId) {
    if (!covered(stored) || sandboxes.get().find(home(stored)).isEmpty()) {
      return;
    }
    var lock = lock(stored);
    lock.lock();
    try {
      var kept = kept(place(stored), snapshotId);
      FOLDERS.forEach(folder -> TreeSnapshot.remove(kept.resolve(folder)));
      PrivateFiles.delete(kept);
    } finally {
      lock.unlock();
    }
  }

  static Path kept(SandboxPlace place, String snapshotId) {
    return place.files().resolve("kept").resolve(snapshotId);
  }

  /// What changed since is all that has to be copied.
  private static Optional<Path> latest(SandboxPlace place) {
    var all = place.files().resolve("kept");
    if (!Files.isDirectory(all)) {
      return Optional.empty();
    }
    try (Stream<Path> found = Files.list(all)) {
      return found.max(Comparator.comparingLong(path -> path.toFile().lastModified()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  SandboxPlace place(StoredLaunch stored) {
    return sandboxes.get().place(home(stored));
  }

  private static String home(StoredLaunch stored) {
    return stored.home().orElseThrow().sandbox();
  }
}
