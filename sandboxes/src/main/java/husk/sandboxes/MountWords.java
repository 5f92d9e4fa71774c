package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Reads `SOURCE:TARGET[:ro|:rw]`, and refuses what would let a sandbox out or break it.
final class MountWords {
  /// Where the sandbox itself needs to be as it is.
  private static final List<Path> TAKEN =
      List.of(
          Path.of("/usr"),
          Path.of("/bin"),
          Path.of("/sbin"),
          Path.of("/lib"),
          Path.of("/lib32"),
          Path.of("/lib64"),
          Path.of("/libx32"),
          Path.of("/etc"),
          Path.of("/proc"),
          Path.of("/sys"),
          Path.of("/dev"),
          Path.of("/.husk"));

  private final Optional<Path> base;
  private final List<Path> ownPlaces;

  /// @param base what relative sources are relative to
  /// @param ownPlaces where Husk itself keeps its sockets, keys and registry
  MountWords(Optional<Path> base, List<Path> ownPlaces) {
    this.base = base;
    this.ownPlaces = ownPlaces.stream().map(MountWords::real).toList();
  }

  Mount parse(String text) {
    var parts = text.split(":", -1);
    int target = target(text, parts);
    return mount(
        sourceOf(text),
        parts[target],
        parts[parts.length - 1].equals("rw") && target < parts.length - 1);
  }

  /// What a mount names of the host, as it is written.
  static String sourceOf(String text) {
    var parts = text.split(":", -1);
    return String.join(":", List.of(parts).subList(0, target(text, parts)));
  }

  /// Which part is the path inside.
  private static int target(String text, String[] parts) {
    boolean marked =
        parts.length > 2
            && (parts[parts.length - 1].equals("ro") || parts[parts.length - 1].equals("rw"));
    int last = marked ? parts.length - 2 : parts.length - 1;
    if (last < 1) {
      throw invalid(text, "it is not SOURCE:TARGET or SOURCE:TARGET:rw");
    }
    return last;
  }

  Mount mount(String source, String target, boolean writable) {
    return new Mount(source(source), target(target), writable);
  }

  private Path source(String text) {
    if (text.isEmpty()) {
      throw invalid(text, "it names nothing; this folder is `.`");
    }
    try {
      var path = Path.of(text.startsWith("~/") ? home() + text.substring(1) : text);
      var absolute =
          path.isAbsolute()
              ? path
              : base.orElseThrow(() -> invalid(text, "it is relative to nothing")).resolve(path);
      var real = absolute.toRealPath();
      requireNotHusk(text, real);
      return real;
    } catch (IOException | InvalidPathException e) {
      throw invalid(text, "there is no such file or folder on this machine");
    }
  }

  private static String home() {
    return System.getProperty("user.home", "/");
  }

  private void requireNotHusk(String text, Path real) {
    if (ownPlaces.stream().anyMatch(real::startsWith)) {
      throw invalid(text, "it is where Husk keeps its own keys and sockets");
    }
  }

  private static Path target(String text) {
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      throw invalid(text, "it is no path");
    }
    if (!path.isAbsolute() || !path.normalize().equals(path) || path.getNameCount() == 0) {
      throw invalid(text, "what it becomes inside must be an absolute path without `..`");
    }
    if (TAKEN.stream().anyMatch(path::startsWith)) {
      throw invalid(text, "the sandbox needs that place itself");
    }
    return path;
  }

  /// What of Husk's own would be seen through a mount, as paths inside.
  List<Path> hidden(List<Mount> mounts) {
    return mounts.stream()
        .flatMap(
            mount ->
                ownPlaces.stream()
                    .filter(place -> place.startsWith(mount.source()) && Files.isDirectory(place))
                    .map(place -> mount.target().resolve(mount.source().relativize(place))))
        .distinct()
        .toList();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  private static Problem invalid(String text, String why) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "cannot mount `" + text + "`: " + why,
        "write it as SOURCE:TARGET (read-only) or SOURCE:TARGET:rw");
  }
}
