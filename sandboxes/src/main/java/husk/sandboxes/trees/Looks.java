package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;

/// Gives a new file the owner, mode and time of another. Only for paths that nobody else can reach.
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

  static void dress(Path made, Attributes wanted) throws IOException {
    dress(made, wanted, wanted.permissions());
  }

  /// Owner first, because a change of owner takes special bits away; the time last.
  static void dress(Path made, Attributes wanted, int permissions) throws IOException {
    var has = Attributes.of(made);
    if (MAY_GIVE_AWAY && (has.uid() != wanted.uid() || has.gid() != wanted.gid())) {
      Files.setAttribute(made, "unix:uid", wanted.uid(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(made, "unix:gid", wanted.gid(), LinkOption.NOFOLLOW_LINKS);
    }
    if (has.kind() == Attributes.Kind.LINK) {
      dateLink(made, wanted);
      return;
    }
    if (has.permissions() != permissions || has.uid() != wanted.uid()) {
      Files.setAttribute(made, "unix:mode", permissions);
    }
    Files.setLastModifiedTime(made, wanted.modified());
  }

  /// A link's own time matters to nobody, and not every file system lets it be set.
  private static void dateLink(Path link, Attributes wanted) {
    try {
      Files.getFileAttributeView(link, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setTimes(wanted.modified(), null, null);
    } catch (IOException e) {
      // It keeps the time at which it was made.
    }
  }
}
