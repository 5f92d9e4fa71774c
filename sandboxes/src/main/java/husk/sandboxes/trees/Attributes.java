package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Path;

/// What one `stat` says; times are nanoseconds since 1970.
record Attributes(
    long dev, long ino, long size, long mtime, long ctime, int mode, int uid, int gid, int nlink) {

  enum Kind {
    FILE,
    LINK,
    FOLDER,
    OTHER
  }

  /// The type among the bits of a mode.
  private static final int TYPE = 0170000;

  /// All that `chmod` sets.
  static final int BITS = 07777;

  /// Set-user and set-group: whoever starts such a program has its owner's rights.
  private static final int LENDING = 06000;

  /// Of what is at a path; of a link, the link's own.
  static Attributes of(Path path) throws IOException {
    return Stat.of(Unhurried.NO_FOLDER, path);
  }

  Kind kind() {
    return switch (mode & TYPE) {
      case 0100000 -> Kind.FILE;
      case 0120000 -> Kind.LINK;
      case 0040000 -> Kind.FOLDER;
      default -> Kind.OTHER;
    };
  }

  /// What may be given to a copy: no bit that lends anybody's rights, since what is copied was
  /// written by somebody who must not have them.
  int permissions() {
    return mode & BITS & ~LENDING;
  }

  /// The same file, and nobody has touched it: every change of content, mode, owner or links moves
  /// `ctime`, which no program can set. See [Settled] for the one exception.
  boolean sameStamp(Attributes other) {
    return ino == other.ino
        && ctime == other.ctime
        && mtime == other.mtime
        && size == other.size
        && dev == other.dev;
  }

  /// As a copy with those looks would be: equal in mode, and in owner if this process could set it.
  boolean looksLike(Attributes wanted) {
    return kind() == wanted.kind()
        && mine() == wanted.permissions()
        && (!Looks.MAY_GIVE_AWAY || (uid == wanted.uid && gid == wanted.gid));
  }

  /// Folders inherit the group's bit, and lend nothing by it.
  private int mine() {
    return kind() == Kind.FOLDER ? permissions() : mode & BITS;
  }
}
