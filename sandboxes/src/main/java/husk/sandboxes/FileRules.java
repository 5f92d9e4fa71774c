package husk.sandboxes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What code may read and write, as mounts and as paths that show nothing.
///
/// Everything of the machine can be read that is not denied and that a sandbox does not have of its
/// own. A path that does not exist yet is hidden where it could be made.
///
/// @param directory where code starts, as it was named
/// @param writable what may be written, without links
/// @param denyRead what may not be read, without links
/// @param denyWrite what may not be written, without links
record FileRules(
    Path directory,
    Set<Path> writable,
    Set<Path> denyRead,
    Set<Path> denyWrite,
    ProtectedNames names) {

  FileRules {
    writable = Set.copyOf(writable);
    denyRead = Set.copyOf(denyRead);
    denyWrite = Set.copyOf(denyWrite);
  }

  /// Each as `SOURCE:TARGET:ro|rw`.
  List<String> mounts() {
    var modes = new LinkedHashMap<Path, String>();
    VisibleMachine.folders().forEach(folder -> modes.put(folder, "ro"));
    modes.put(start(), "ro");
    writable.stream().sorted().forEach(path -> modes.put(path, "rw"));
    guarded().filter(Files::exists).forEach(path -> modes.put(path, "ro"));
    if (isWritable(start()) && modes.getOrDefault(start(), "").equals("ro")) {
      modes.put(start(), "rw");
    }
    var words = new ArrayList<String>();
    modes.forEach(
        (path, how) -> names(path).forEach(name -> words.add(path + ":" + name + ":" + how)));
    return List.copyOf(words);
  }

  /// Paths inside where nothing is seen, and nothing can be put.
  List<String> hidden() {
    var paths = new LinkedHashSet<Path>();
    denyRead.stream().filter(path -> Files.exists(path) || isWritable(path)).forEach(paths::add);
    guarded().filter(Files::notExists).forEach(paths::add);
    roots()
        .flatMap(root -> names.absent(root, root.equals(RealPaths.home())).stream())
        .forEach(paths::add);
    VisibleMachine.sockets().stream().filter(path -> !isWritable(path)).forEach(paths::add);
    return paths.stream().flatMap(this::names).map(Path::toString).distinct().toList();
  }

  /// Read-only exceptions within what may be written.
  private Stream<Path> guarded() {
    return Stream.concat(
            denyWrite.stream().sorted(),
            writable.stream().sorted().flatMap(path -> names.present(path).stream()))
        .filter(this::isWritable)
        .distinct();
  }

  /// Where projects are: what others run lies at the top of them.
  private Stream<Path> roots() {
    return Stream.concat(writable.stream().sorted(), Stream.of(start()).filter(this::isWritable))
        .distinct();
  }

  private boolean isWritable(Path path) {
    return writable.stream().anyMatch(path::startsWith);
  }

  private Path start() {
    return RealPaths.of(directory);
  }

  /// A path by its own name, and by the one that leads through the directory as it was named.
  private Stream<Path> names(Path path) {
    return path.startsWith(start())
        ? Stream.of(path, directory.resolve(start().relativize(path)).normalize()).distinct()
        : Stream.of(path);
  }

  /// Links that code inside could replace, and so would not be held by what is said of their ends.
  Map<Path, Path> loose(Stream<Path> asNamed) {
    var found = new LinkedHashMap<Path, Path>();
    Stream.concat(asNamed, writable.stream().flatMap(path -> names.present(path).stream()))
        .forEach(
            path ->
                RealPaths.links(path)
                    .filter(this::isWritable)
                    .findFirst()
                    .ifPresent(link -> found.put(path, link)));
    return found;
  }
}
