package husk.local;

import husk.model.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/// Makes and checks folders that belong to this user alone.
///
/// Some of them lie in the shared `/tmp`, where anybody can make a folder of the expected name
/// first, or a link to elsewhere; such a folder is refused, never used.
final class Folders {
  private static final String PRIVATE = "rwx------";
  private static final int OTHERS = 077;

  private Folders() {}

  /// The user this process runs as.
  static int user() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean ownedBy(Path folder, int user) {
    var found = attributes(folder);
    return found.isPresent()
        && Boolean.TRUE.equals(found.get().get("isDirectory"))
        && owner(found.get()) == user;
  }

  /// Makes a folder, and those above it, with mode 0700; leaves one that is there as it is.
  static void create(Path folder) {
    try {
      Path parent = folder.getParent();
      if (parent != null && !Files.isDirectory(parent)) {
        create(parent);
      }
      Files.createDirectory(
          folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw refused(folder, "it is not a folder").causedBy(e);
      }
    } catch (IOException e) {
      throw unmade(folder, e);
    }
  }

  private static Problem unmade(Path folder, IOException e) {
    String why = e instanceof FileSystemException system ? system.getReason() : e.getMessage();
    return new Problem(
            Problem.Code.INVALID_SETTING,
            "`" + folder + "` cannot be made: " + (why == null ? "permission is denied" : why),
            "make it writable for this user, or set HUSK_HOME (and HUSK_RUNTIME_DIR) to another")
        .causedBy(e);
  }

  /// Refuses a folder that somebody else could look into or exchange. False if there is none.
  static boolean guard(Path folder, int user) {
    var found = attributes(folder);
    if (found.isEmpty()) {
      return false;
    }
    if (Boolean.TRUE.equals(found.get().get("isSymbolicLink"))) {
      throw refused(folder, "it is a symbolic link");
    }
    if (!Boolean.TRUE.equals(found.get().get("isDirectory"))) {
      throw refused(folder, "it is not a folder");
    }
    if (owner(found.get()) != user) {
      throw refused(
          folder, "it belongs to user " + owner(found.get()) + ", while this is user " + user);
    }
    if (open(found.get()) && !closed(folder)) {
      throw refused(folder, "other users have access to it, and its mode cannot be changed");
    }
    return true;
  }

  private static boolean closed(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(PRIVATE));
    } catch (IOException _) {
      return false;
    }
    var now = attributes(folder);
    return now.isPresent() && !open(now.get());
  }

  private static boolean open(Map<String, Object> attributes) {
    return ((Integer) attributes.getOrDefault("mode", OTHERS) & OTHERS) != 0;
  }

  private static int owner(Map<String, Object> attributes) {
    return (Integer) attributes.getOrDefault("uid", -1);
  }

  private static Optional<Map<String, Object>> attributes(Path folder) {
    try {
      return Optional.of(
          Files.readAttributes(
              folder, "unix:uid,mode,isSymbolicLink,isDirectory", LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw refused(folder, "it cannot be examined: " + e).causedBy(e);
    }
  }

  private static Problem refused(Path folder, String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "`" + folder + "` cannot hold Husk's sockets and files: " + why,
        "remove it, or set HUSK_RUNTIME_DIR (or HUSK_HOME) to a folder of your own");
  }
}
