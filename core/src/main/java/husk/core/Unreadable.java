package husk.core;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import husk.spi.Sandbox;
import husk.spi.Tenancy;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// What not even its owner may read in a folder of a running sandbox: nothing inside can pack it.
final class Unreadable {
  /// More than an agent leaves out.
  private static final int MOST = 64;

  private static final int MAY_READ = 0400;
  private static final int MAY_READ_AND_ENTER = 0500;

  private Unreadable() {}

  /// Paths below the folder, of files and folders, not looked for under those names in it.
  static List<String> paths(Sandbox sandbox, String folder, List<String> without)
      throws IOException {
    var pid = sandbox.tenancy().map(Tenancy::pid).orElseThrow(() -> new IOException("no process"));
    var root = Path.of("/proc/" + pid + "/root" + folder);
    var found = new ArrayList<String>();
    Files.walkFileTree(root, new Looking(root, without, found));
    return found;
  }

  private static final class Looking extends SimpleFileVisitor<Path> {
    private final Path root;
    private final List<String> without;
    private final List<String> found;

    Looking(Path root, List<String> without, List<String> found) {
      this.root = root;
      this.without = without;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      if (path.equals(root)) {
        return FileVisitResult.CONTINUE;
      }
      if (without.contains(root.relativize(path).toString())) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      return lacks(path, MAY_READ_AND_ENTER)
          ? noted(path, FileVisitResult.SKIP_SUBTREE)
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      return attributes.isRegularFile() && lacks(path, MAY_READ)
          ? noted(path, FileVisitResult.CONTINUE)
          : FileVisitResult.CONTINUE;
    }

    /// A folder that this process may not enter either, or something that has vanished.
    @Override
    public FileVisitResult visitFileFailed(Path path, IOException why) {
      return Files.isDirectory(path, NOFOLLOW_LINKS)
          ? noted(path, FileVisitResult.CONTINUE)
          : FileVisitResult.CONTINUE;
    }

    private static boolean lacks(Path path, int rights) {
      try {
        return ((Integer) Files.getAttribute(path, "unix:mode", NOFOLLOW_LINKS) & rights) != rights;
      } catch (IOException vanished) {
        return false;
      }
    }

    private FileVisitResult noted(Path path, FileVisitResult next) {
      found.add(root.relativize(path).toString());
      return found.size() < MOST ? next : FileVisitResult.TERMINATE;
    }
  }
}
