package husk.sandboxes;

import husk.model.Problem;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Files that decide about later sandboxes, kept from what runs in this one: what a project says of
/// itself, and the home that Husk has where no other is named.
///
/// Where they are, they can only be read; where they are not, nobody inside can make them.
final class Guarded {
  private static final List<String> NAMES = List.of("husk.toml", "agentkernel.toml");

  private final List<Mount> mounts;
  private final Optional<Path> cwd;
  private final List<Mount> readOnly = new ArrayList<>();
  private final Set<Path> hidden = new LinkedHashSet<>();

  /// @param cwd the caller's directory, where such a file would count next
  Guarded(List<Mount> mounts, Optional<Path> cwd) {
    this.mounts = mounts;
    this.cwd = cwd.map(RealPaths::of);
    mounts.stream().filter(Mount::writable).forEach(this::guard);
    mounts.forEach(this::hideHome);
  }

  /// What is there already.
  List<Mount> readOnly() {
    return List.copyOf(readOnly);
  }

  /// Paths inside where nothing may come to be, or be seen.
  List<Path> hidden() {
    return List.copyOf(hidden);
  }

  /// The specification for another start: what is guarded may have come or gone since the last.
  static SandboxSpec asOfNow(SandboxSpec spec) {
    var writable = spec.mounts().stream().filter(Mount::writable).toList();
    Stream.concat(spec.hidden().stream(), spec.mounts().stream().map(Mount::target))
        .filter(path -> NAMES.contains(String.valueOf(path.getFileName())))
        .flatMap(path -> seen(path, writable).stream())
        .forEach(Guarded::refuseLink);
    var gone =
        spec.mounts().stream()
            .filter(mount -> !mount.writable() && isGuard(mount.target(), mount.source(), writable))
            .filter(mount -> saysNothing(mount.source()))
            .toList();
    var come =
        spec.hidden().stream()
            .filter(path -> NAMES.contains(String.valueOf(path.getFileName())))
            .flatMap(
                path -> seen(path, writable).map(file -> new Mount(file, path, false)).stream())
            .filter(mount -> isFile(mount.source()) && !saysNothing(mount.source()))
            .toList();
    var mounts = new ArrayList<>(spec.mounts());
    mounts.removeAll(gone);
    mounts.addAll(come);
    var hidden = new ArrayList<>(spec.hidden());
    come.forEach(mount -> hidden.remove(mount.target()));
    gone.forEach(mount -> hidden.add(mount.target()));
    return spec.withMounts(mounts).hiding(hidden);
  }

  private static boolean isGuard(Path target, Path source, List<Mount> writable) {
    return NAMES.contains(String.valueOf(source.getFileName()))
        && seen(target, writable).filter(source::equals).isPresent();
  }

  /// What of the host would be seen at a path inside, if it could be written there.
  private static Optional<Path> seen(Path target, List<Mount> writable) {
    return writable.stream()
        .filter(mount -> target.startsWith(mount.target()))
        .max(Comparator.comparingInt(mount -> mount.target().getNameCount()))
        .map(mount -> mount.source().resolve(mount.target().relativize(target)));
  }

  private static void refuseLink(Path file) {
    if (Files.isSymbolicLink(file)) {
      throw refusal(file, "it is a link, which code inside could replace: make it a file");
    }
  }

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }

  private void guard(Mount mount) {
    if (NAMES.contains(String.valueOf(mount.source().getFileName()))) {
      throw refusal(mount.source(), "code inside must not decide about sandboxes to come");
    }
    if (!Files.isDirectory(mount.source())) {
      return;
    }
    var folders = Stream.concat(Stream.of(mount.source()), cwd.stream());
    folders
        .filter(folder -> folder.startsWith(mount.source()))
        .distinct()
        .flatMap(folder -> NAMES.stream().map(folder::resolve))
        .forEach(file -> guard(mount, file));
  }

  private void guard(Mount mount, Path file) {
    var target = mount.target().resolve(mount.source().relativize(file));
    var nearest = nearest(target);
    if (!nearest.equals(mount)) {
      // Another mount shows something else there, and is looked at for itself.
      return;
    }
    refuseLink(file);
    if (saysNothing(file)) {
      holdPlace(file, target);
    } else {
      readOnly.add(new Mount(file, target, false));
    }
  }

  /// Where we cannot make anything, nobody inside can.
  private void holdPlace(Path file, Path target) {
    if (Files.isWritable(file.resolveSibling("."))) {
      hidden.add(target);
    }
  }

  private Mount nearest(Path target) {
    return mounts.stream()
        .filter(mount -> target.startsWith(mount.target()))
        .max(Comparator.comparingInt(mount -> mount.target().getNameCount()))
        .orElseThrow();
  }

  /// An empty one may be what holds the place for another sandbox, and goes when that ends.
  private static boolean saysNothing(Path file) {
    try {
      return !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          || (isFile(file) && Files.size(file) == 0);
    } catch (IOException gone) {
      return true;
    }
  }

  /// A daemon with another home must not have its sandboxes write into, or read, the usual one.
  private void hideHome(Mount mount) {
    var home = RealPaths.home().resolve(".husk");
    if (home.startsWith(mount.source()) && (mount.writable() || Files.isDirectory(home))) {
      hidden.add(mount.target().resolve(mount.source().relativize(home)));
    }
  }

  private static Problem refusal(Path path, String why) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "`" + path + "` cannot be mounted to be written to: " + why,
        "mount it read-only, or another folder");
  }
}
