package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// What one `lstat` says; times are nanoseconds since 1970.
record Attributes(
    long dev, long ino, long size, long mtime, long ctime, int mode, int uid, int gid, int nlink) {

  enum Kind {
    FILE,
    LINK,
    FOLDER,
    OTHER
  }

  private static final String WANTED =
      "unix:dev,ino,size,lastModifiedTime,ctime,mode,uid,gid,nlink";

  /// The type among the bits of a mode.
  private static final int TYPE = 0170000;

  private static final int PERMISSIONS = 07777;

  static Attributes of(Path path) throws IOException {
    var found = Files.readAttributes(path, WANTED, LinkOption.NOFOLLOW_LINKS);
    return new Attributes(
        number(found, "dev"),
        number(found, "ino"),
        number(found, "size"),
        time(found, "lastModifiedTime"),
        time(found, "ctime"),
        (int) number(found, "mode"),
        (int) number(found, "uid"),
        (int) number(found, "gid"),
        (int) number(found, "nlink"));
  }

  private static long number(Map<String, Object> found, String name) {
    return ((Number) Objects.requireNonNull(found.get(name))).longValue();
  }

  private static long time(Map<String, Object> found, String name) {
    return ((FileTime) Objects.requireNonNull(found.get(name))).to(TimeUnit.NANOSECONDS);
  }

  Kind kind() {
    return switch (mode & TYPE) {
      case 0100000 -> Kind.FILE;
      case 0120000 -> Kind.LINK;
      case 0040000 -> Kind.FOLDER;
      default -> Kind.OTHER;
    };
  }

  int permissions() {
    return mode & PERMISSIONS;
  }

  FileTime modified() {
    return FileTime.from(mtime, TimeUnit.NANOSECONDS);
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

  /// Equal in mode, and in owner if this process could set it.
  boolean sameLooks(Attributes other) {
    return mode == other.mode && (!Looks.MAY_GIVE_AWAY || (uid == other.uid && gid == other.gid));
  }
}
