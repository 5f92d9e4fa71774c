package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Gives a new file the owner, mode and time of another.
///
/// Bits that lend the owner's or group's rights are given to nothing: see
/// [Attributes#permissions()].
final class Looks {

  /// Only root may give files to others; everybody else keeps them.
  static final boolean MAY_GIVE_AWAY = isRoot();

  private Looks() {}

  private static boolean isRoot() {
    try {
      return Attributes.of(Path.of("/proc/self/status")).uid() == 0;
    } catch (IOException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }

  static void dress(Held made, Attributes wanted) throws IOException {
    dress(made, wanted, wanted.permissions());
  }

  /// The mode last: it may take away what is needed for the rest. A link has no mode, and its own
  /// time matters to nobody.
  static void dress(Held made, Attributes wanted, int permissions) throws IOException {
    var has = made.attributes();
    if (MAY_GIVE_AWAY && (has.uid() != wanted.uid() || has.gid() != wanted.gid())) {
      Files.setAttribute(made.path(), "unix:uid", wanted.uid());
      Files.setAttribute(made.path(), "unix:gid", wanted.gid());
    }
    if (has.kind() == Attributes.Kind.LINK) {
      return;
    }
    if (has.mtime() != wanted.mtime()) {
      made.modified(wanted.mtime());
    }
    if ((has.mode() & Attributes.BITS) != permissions) {
      made.mode(permissions);
    }
  }
}
