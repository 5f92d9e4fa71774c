package husk.sandboxes.trees;

import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A live folder with snapshots of it, for one test.
final class Grove implements AutoCloseable {
  private final TempHome home;
  final Path live;
  private int count;

  Grove() throws IOException {
    home = TempHome.create();
    live = Files.createDirectory(home.resolve("live"));
  }

  Path outside(String name) {
    return home.resolve(name);
  }

  /// Writes a file, with the folders it needs.
  Path write(String name, String text) throws IOException {
    var file = live.resolve(name);
    Files.createDirectories(file.resolveSibling(".").normalize());
    return Files.writeString(file, text);
  }

  /// From here on, a file written before is told from one written after by its times.
  void settle() throws InterruptedException {
    Thread.sleep(50);
  }

  Path snapshot() {
    return snapshot(Optional.empty());
  }

  Path snapshot(Optional<Path> previous) {
    var target = home.resolve("snapshot-" + count++);
    TreeSnapshot.take(live, target, previous);
    return target;
  }

  Changes restore(Path snapshot) {
    return TreeSnapshot.restore(snapshot, live);
  }

  static long inode(Path path) throws IOException {
    return Attributes.of(path).ino();
  }

  /// Every entry with what a user could notice of it; times of links and folders left out.
  static Map<String, String> look(Path folder) throws IOException {
    var found = new TreeMap<String, String>();
    try (var all = Files.walk(folder)) {
      for (var path : all.filter(each -> !each.equals(folder)).toList()) {
        found.put(folder.relativize(path).toString(), describe(path));
      }
    }
    return found;
  }

  private static String describe(Path path) throws IOException {
    var attributes = Attributes.of(path);
    var looks = Integer.toOctalString(attributes.mode()) + " " + attributes.uid();
    return switch (attributes.kind()) {
      case FILE -> looks + " " + attributes.mtime() + " " + Files.readString(path);
      case LINK -> looks + " -> " + Files.readSymbolicLink(path);
      case FOLDER, OTHER -> looks;
    };
  }

  static void age(Path path, FileTime time) throws IOException {
    Files.setLastModifiedTime(path, time);
  }

  static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
  }

  static void run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " has failed");
    }
  }

  @Override
  public void close() throws IOException {
    home.close();
  }
}
