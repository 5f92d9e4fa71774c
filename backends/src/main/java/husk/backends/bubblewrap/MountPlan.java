package husk.backends.bubblewrap;

import husk.backends.agents.Placeholders;
import husk.spi.Mount;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What of the host is seen where, the outer before the inner, so that no mount covers another.
///
/// What must stay as it is within a writable folder is a mount of its own there, which nobody
/// inside can change, move or replace. The folders above it could be moved away with it and made
/// anew, so each of those becomes a mount as well: it is *pinned*.
final class MountPlan {
  private final SandboxSpec spec;
  private final SandboxPlace place;

  MountPlan(SandboxSpec spec, SandboxPlace place) {
    this.spec = spec;
    this.place = place;
  }

  List<String> arguments() throws IOException {
    var steps = new LinkedHashMap<Path, List<String>>();
    var placeholders = Placeholders.hold(place, wanted());
    for (var pin : pins()) {
      steps.put(pin, bind("--bind", seen(pin).orElseThrow(), pin));
    }
    for (var mount : spec.mounts()) {
      steps.put(
          mount.target(),
          bind(mount.writable() ? "--bind" : "--ro-bind", mount.source(), mount.target()));
    }
    for (var path : spec.hidden()) {
      var hiding = hide(path, placeholders);
      if (!hiding.isEmpty()) {
        steps.put(path, hiding);
      }
    }
    return ordered(steps);
  }

  private static List<String> ordered(Map<Path, List<String>> steps) {
    return steps.entrySet().stream()
        .sorted(Comparator.comparingInt(step -> step.getKey().getNameCount()))
        .flatMap(step -> step.getValue().stream())
        .toList();
  }

  private static List<String> bind(String how, Path source, Path target) {
    return List.of(how, source.toString(), target.toString());
  }

  /// Where something must exist on the host for something else to be mounted on it.
  private List<Placeholders.Wanted> wanted() {
    var mounted =
        spec.mounts().stream()
            .filter(mount -> writableAbove(mount.target()).isPresent())
            .map(mount -> wanted(mount.target(), Files.isDirectory(mount.source())));
    var hidden =
        spec.hidden().stream()
            .filter(path -> writableAbove(path).isPresent())
            .map(path -> wanted(path, looksLikeFolder(path)));
    return Stream.concat(mounted, hidden).toList();
  }

  private Placeholders.Wanted wanted(Path inside, boolean folder) {
    var above = writableAbove(inside).orElseThrow();
    return new Placeholders.Wanted(under(above, inside), folder);
  }

  /// Nobody says what a path would have been; most names do.
  private static boolean looksLikeFolder(Path path) {
    var name = String.valueOf(path.getFileName());
    return name.indexOf('.', 1) < 0
        && !name.matches("\\.env|config|\\..*(rc|profile|config|modules|pass)|[A-Z_]+|id_.*");
  }

  /// The folders between a writable mount and what is guarded in it.
  private List<Path> pins() {
    var readOnly =
        spec.mounts().stream().filter(mount -> !mount.writable()).map(Mount::target).toList();
    return Stream.concat(readOnly.stream(), spec.hidden().stream())
        .flatMap(path -> writableAbove(path).stream().flatMap(above -> between(above, path)))
        .distinct()
        .toList();
  }

  private static Stream<Path> between(Mount above, Path path) {
    return Stream.iterate(
            Optional.ofNullable(path.getParent()),
            parent -> parent.filter(folder -> !folder.equals(above.target())).isPresent(),
            parent -> parent.map(Path::getParent))
        .flatMap(Optional::stream);
  }

  /// The mount a path lies in, if what is inside may change it there.
  private Optional<Mount> writableAbove(Path path) {
    return nearest(path, false).filter(Mount::writable);
  }

  /// What of the host would be seen at a path.
  private Optional<Path> seen(Path path) {
    return nearest(path, true).map(mount -> under(mount, path));
  }

  private static Path under(Mount mount, Path inside) {
    return mount.source().resolve(mount.target().relativize(inside));
  }

  private Optional<Mount> nearest(Path path, boolean itself) {
    return spec.mounts().stream()
        .filter(mount -> path.startsWith(mount.target()))
        .filter(mount -> itself || !path.equals(mount.target()))
        .max(Comparator.comparingInt(mount -> mount.target().getNameCount()));
  }

  /// Something that is there for nobody; what no mount shows needs no hiding.
  private List<String> hide(Path path, List<Path> placeholders) throws IOException {
    var seen = seen(path).filter(Files::exists);
    if (seen.isEmpty()) {
      return List.of();
    }
    boolean folder = Files.isDirectory(seen.get());
    if (placeholders.contains(seen.get())) {
      return bind("--ro-bind", nothing(folder), path);
    }
    // Where something below is shown, the way there must be passable.
    boolean passed = spec.mounts().stream().anyMatch(mount -> isBelow(mount.target(), path));
    return folder
        ? Walls.memory(path.toString(), passed ? "0555" : "0000", 4096)
        : bind("--ro-bind", Path.of("/dev/null"), path);
  }

  private static boolean isBelow(Path path, Path folder) {
    return path.startsWith(folder) && !path.equals(folder);
  }

  private Path nothing(boolean folder) throws IOException {
    var empty = place.files().resolve(folder ? "nothing" : "nothing.txt");
    if (Files.notExists(empty)) {
      if (folder) {
        Files.createDirectory(empty);
      } else {
        Files.createFile(empty);
      }
    }
    return empty;
  }
}
