package husk.local;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Refuses a home that is somebody else's, or in which somebody else could change what Husk runs.
///
/// Others may read its folder, if its owner wants that: what is secret in it is closed to them by
/// itself. But whoever may write there, or exchange a folder on the way to it, decides what code
/// Husk runs, and as whom. Links are fine if what they lead to is.
final class HomeGuard {
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final int STICKY = 01000;
  private static final int MODE = 07777;

  private final int user;

  HomeGuard(int user) {
    this.user = user;
  }

  /// Refuses what is there; a home that is yet to be made only has to have a safe way to it.
  void check(Path home) {
    var found = attributes(home);
    if (found.isPresent()) {
      checkLink(home);
      checkFolder(home, found.get());
      checkWay(real(home));
    }
    checkWay(home);
  }

  /// Refuses a place that others could exchange for another.
  void checkWay(Path place) {
    for (var above = place.getParent(); above != null; above = above.getParent()) {
      var found = attributes(above);
      if (found.isPresent() && exchangeable(found.get())) {
        throw refused(
            place,
            "others can put something else in its place, because they may write to `"
                + above
                + "` (mode "
                + shown(found.get())
                + ")",
            "close that folder: chmod go-w " + quoted(above));
      }
    }
  }

  /// In a folder like `/tmp` everybody may rename what is theirs, and nothing else.
  private static boolean exchangeable(Map<String, Object> folder) {
    int mode = mode(folder);
    return (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
  }

  private void checkFolder(Path home, Map<String, Object> found) {
    if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
      throw refused(home, "it is not a folder", "remove it");
    }
    if (owner(found) != user) {
      throw refused(
          home,
          "it belongs to user " + owner(found) + ", while this is user " + user,
          "run Husk as that user");
    }
    if ((mode(found) & WRITABLE_BY_OTHERS) != 0) {
      throw refused(
          home,
          "other users may write to it (mode " + shown(found) + ")",
          "close it: chmod go-w " + quoted(home));
    }
  }

  /// Whoever owns a link may let it lead elsewhere.
  private void checkLink(Path home) {
    var link = attributes(home, LinkOption.NOFOLLOW_LINKS);
    if (link.filter(it -> Boolean.TRUE.equals(it.get("isSymbolicLink"))).isPresent()) {
      int owner = owner(link.get());
      if (owner != user && owner != 0) {
        throw refused(
            home, "it is a link that belongs to user " + owner, "use what it leads to instead");
      }
    }
  }

  private static Path real(Path home) {
    try {
      return home.toRealPath();
    } catch (IOException e) {
      throw refused(home, "it cannot be examined: " + e, "look at its path").causedBy(e);
    }
  }

  private static Optional<Map<String, Object>> attributes(Path path, LinkOption... options) {
    try {
      return Optional.of(
          Files.readAttributes(path, "unix:uid,mode,isSymbolicLink,isDirectory", options));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw refused(path, "it cannot be examined: " + e, "look at its path").causedBy(e);
    }
  }

  private static int mode(Map<String, Object> attributes) {
    return (Integer) attributes.getOrDefault("mode", MODE) & MODE;
  }

  private static int owner(Map<String, Object> attributes) {
    return (Integer) attributes.getOrDefault("uid", -1);
  }

  private static String shown(Map<String, Object> attributes) {
    return "0" + Integer.toOctalString(mode(attributes));
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }

  private static Problem refused(Path place, String why, String remedy) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "`" + place + "` cannot hold what Husk keeps: " + why,
        remedy,
        "or set HUSK_HOME (HUSK_REGISTRY_PATH for the registry) to a place of your own");
  }
}
