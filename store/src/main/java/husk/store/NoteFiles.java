package husk.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// Files that say once more what the registry says, written beside the way: whoever changes a row
/// does not wait for them, because nothing depends on them while the registry is there.
///
/// One thread of this process writes them all, in the order of the changes, and ends when there is
/// nothing more to write. Of several texts for one file the last is written. Where a folder is gone
/// nothing is written.
public final class NoteFiles {
  private static final System.Logger LOG = System.getLogger("husk.store");
  private static final SequencedMap<Path, Supplier<String>> WAITING = new LinkedHashMap<>();

  /// What is made, started and given away changes several times in a moment, and is often gone
  /// again after another.
  private static final long DELAY_MILLIS = 100;

  private static boolean writing;
  private static int waitedFor;

  private NoteFiles() {}

  /// Has a file written soon, whole or not at all, for its owner alone.
  public static void write(Path file, Supplier<String> text) {
    synchronized (WAITING) {
      WAITING.put(file, text);
      if (!writing) {
        writing = true;
        Thread.ofVirtual().name("husk-notes").start(NoteFiles::writeAll);
      }
    }
  }

  /// Waits until everything that was asked for is written; for those who read them.
  public static void settle() {
    synchronized (WAITING) {
      waitedFor++;
      WAITING.notifyAll();
      try {
        while (writing) {
          WAITING.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        waitedFor--;
      }
    }
  }

  private static void writeAll() {
    pause();
    for (var next = next(); next.isPresent(); next = next()) {
      var file = next.get().getKey();
      try {
        replace(file, next.get().getValue().get());
      } catch (IOException | RuntimeException e) {
        if (Files.isDirectory(file.resolveSibling(""))) {
          LOG.log(System.Logger.Level.WARNING, "cannot note anything in " + file + ": " + e);
        }
      }
    }
  }

  /// Unless somebody wants to read.
  private static void pause() {
    long deadline = System.nanoTime() + DELAY_MILLIS * 1_000_000;
    synchronized (WAITING) {
      long left = DELAY_MILLIS;
      while (waitedFor == 0 && left > 0) {
        try {
          WAITING.wait(left);
        } catch (InterruptedException nobodyDoesThat) {
          return;
        }
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
    }
  }

  private static Optional<Map.Entry<Path, Supplier<String>>> next() {
    synchronized (WAITING) {
      var first = Optional.ofNullable(WAITING.pollFirstEntry());
      if (first.isEmpty()) {
        writing = false;
        WAITING.notifyAll();
      }
      return first;
    }
  }

  /// Other processes may write the same file.
  private static void replace(Path file, String text) throws IOException {
    var folder = file.resolveSibling("");
    if (!Files.isDirectory(folder)) {
      return;
    }
    var draft =
        Files.createTempFile(
            folder,
            "note",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.write(draft, text.getBytes(StandardCharsets.UTF_8));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
