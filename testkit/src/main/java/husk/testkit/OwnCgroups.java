package husk.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The cgroups of sandboxes that nobody is in.
///
/// One is made a moment before its sandbox starts and removed a moment after it has ended, also by
/// other JVMs that test on this machine; only one that stays was forgotten.
final class OwnCgroups {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final String NAME = "husk-";

  private OwnCgroups() {}

  static List<Path> abandoned() {
    return parents().flatMap(OwnCgroups::made).filter(OwnCgroups::empty).toList();
  }

  /// Where this process's own are, in each hierarchy: sandboxes' are there or beside them.
  static Stream<Path> parents() {
    return lines(Path.of("/proc/self/cgroup")).stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3)
        .flatMap(parts -> Stream.of(parts[1].split(",", -1)).map(name -> at(name, parts[2])))
        .flatMap(path -> Stream.of(Optional.of(path), Optional.ofNullable(path.getParent())))
        .flatMap(Optional::stream)
        .filter(path -> path.startsWith(ROOT) && Files.exists(path.resolve("cgroup.procs")))
        .distinct();
  }

  private static Path at(String hierarchy, String path) {
    return ROOT.resolve(hierarchy).resolve(path.substring(1));
  }

  private static Stream<Path> made(Path parent) {
    try (var found = Files.list(parent)) {
      return found
          .filter(path -> String.valueOf(path.getFileName()).startsWith(NAME))
          .toList()
          .stream();
    } catch (IOException e) {
      return Stream.of();
    }
  }

  private static boolean empty(Path group) {
    var processes = group.resolve("cgroup.procs");
    return Files.exists(processes) && lines(processes).isEmpty();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException gone) {
      return List.of("gone");
    }
  }
}
