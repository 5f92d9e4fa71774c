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
/// other JVMs that test on this machine; only one that stays was forgotten. Those of other sessions
/// do not count: some hierarchies keep sessions apart, and there theirs are beside our own.
///
/// @param root where the hierarchies are
/// @param membership the lines that say which cgroup of each hierarchy a process is in
record OwnCgroups(Path root, List<String> membership) {
  private static final String NAME = "husk-";

  static OwnCgroups ofThisProcess() {
    return new OwnCgroups(Path.of("/sys/fs/cgroup"), lines(Path.of("/proc/self/cgroup")));
  }

  List<Path> abandoned() {
    var ofOthers = neighbours().flatMap(OwnCgroups::made).map(Path::getFileName).toList();
    return parents()
        .flatMap(OwnCgroups::made)
        .filter(group -> !ofOthers.contains(group.getFileName()))
        .filter(OwnCgroups::empty)
        .toList();
  }

  /// Where this process's own are, in each hierarchy: sandboxes' are there or beside them.
  Stream<Path> parents() {
    return own()
        .flatMap(path -> Stream.of(Optional.of(path), Optional.ofNullable(path.getParent())))
        .flatMap(Optional::stream)
        .filter(path -> path.startsWith(root) && Files.exists(path.resolve("cgroup.procs")))
        .distinct();
  }

  /// The cgroups of other sessions.
  private Stream<Path> neighbours() {
    var own = own().toList();
    return own.stream()
        .flatMap(path -> Stream.ofNullable(path.getParent()))
        .filter(folder -> folder.startsWith(root) && !folder.equals(root))
        .flatMap(OwnCgroups::children)
        .filter(path -> !own.contains(path));
  }

  private Stream<Path> own() {
    return membership.stream()
        .map(line -> line.split(":", 3))
        .filter(parts -> parts.length == 3)
        .flatMap(parts -> Stream.of(parts[1].split(",", -1)).map(name -> at(name, parts[2])));
  }

  private Path at(String hierarchy, String path) {
    return root.resolve(hierarchy).resolve(path.substring(1)).normalize();
  }

  private static Stream<Path> made(Path parent) {
    return children(parent).filter(path -> String.valueOf(path.getFileName()).startsWith(NAME));
  }

  private static Stream<Path> children(Path parent) {
    try (var found = Files.list(parent)) {
      return found.filter(Files::isDirectory).toList().stream();
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
