package husk.sandboxes.trees;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// Snapshots of a folder's files.
///
/// A snapshot is a folder with the copies and, beside it, an index that says which file each copy
/// was made from. It is complete once the index is there. Files that have not changed since an
/// earlier snapshot are shared with it, so a snapshot costs what has changed; nobody may write to
/// the copies.
///
/// Kept are content, mode, owner (where this process may set it), time, symbolic and hard links.
/// Not kept are the bits that lend an owner's rights (set-user, set-group), extended attributes
/// with files' capabilities, sockets, pipes and devices.
public final class TreeSnapshot {
  private TreeSnapshot() {}

  /// Copies a folder. What vanishes or cannot be read meanwhile is left out, and said.
  ///
  /// @param target where the copy will be; nothing may be there
  /// @param previous an earlier snapshot of the same folder, to share unchanged files with
  public static Taken take(Path source, Path target, Optional<Path> previous) {
    refuseUnlessApart(source, target);
    try (var live = LiveFolder.open(source)) {
      var taking = new Taking(live);
      var index = taking.take(live, target, previous);
      IndexFile.write(Index.fileOf(target), index);
      return taking.taken();
    } catch (IOException e) {
      remove(target);
      throw failed("cannot save the files of " + source + " in " + target, e);
    }
  }

  private static void refuseUnlessApart(Path source, Path target) {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "cannot save files in " + target + ": something is there already",
          "choose another place, or remove that snapshot first");
    }
    if (target.toAbsolutePath().normalize().startsWith(source.toAbsolutePath().normalize())) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "cannot save the files of " + source + " in " + target + ": a copy would hold itself",
          "choose a place outside the folder");
    }
  }

  /// Makes a folder equal to a snapshot: what is unchanged is left alone, what is not is replaced
  /// by new files, and what the snapshot does not have is removed. The folder itself stays the same
  /// one; an empty folder becomes a copy.
  ///
  /// @return from the folder's point of view: what it has got, got back and lost
  public static Changes restore(Path snapshot, Path target) {
    var index = indexOf(snapshot);
    try (var root = LiveFolder.open(target)) {
      Restoring restoring;
      try (var staging = new Staging(snapshot, root)) {
        restoring = new Restoring(root, staging);
        restoring.restore(snapshot, index);
      }
      if (index.isOf(root.attributes()) && restoring.refresh().finish(root)) {
        IndexFile.write(Index.fileOf(snapshot), index);
      }
      return restoring.changes();
    } catch (IOException e) {
      throw failed("cannot put the files of " + snapshot + " back into " + target, e);
    }
  }

  /// What a folder has got, changed and lost since the snapshot. A file that was only touched, or
  /// replaced by an equal one, has not changed.
  public static Changes difference(Path snapshot, Path live) {
    var index = indexOf(snapshot);
    try {
      return new Comparing().compare(snapshot, index, live);
    } catch (IOException e) {
      throw failed("cannot compare " + live + " with " + snapshot, e);
    }
  }

  /// Removes a snapshot, also an incomplete one. Those that share files with it keep them.
  public static void remove(Path snapshot) {
    try {
      Files.deleteIfExists(Index.fileOf(snapshot));
      Leavings.remove(snapshot);
    } catch (IOException e) {
      throw failed("cannot remove " + snapshot, e);
    }
  }

  private static Index indexOf(Path snapshot) {
    try {
      return IndexFile.read(Index.fileOf(snapshot));
    } catch (NoSuchFileException e) {
      throw failed(snapshot + " is not there, or was never completed", e);
    } catch (IOException e) {
      throw failed("cannot read what " + snapshot + " holds", e);
    }
  }

  private static Problem failed(String what, IOException why) {
    return new Problem(
            Problem.Code.STORE_FAILED,
            what + ": " + why,
            "see whether the disk is full and the folder is there",
            "take a new snapshot if this one is damaged")
        .causedBy(why);
  }
}
