package husk.sandboxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Paths without links, also of what does not exist yet.
final class RealPaths {
  private RealPaths() {}

  /// As far as it exists with every link followed; the rest as it is written.
  static Path of(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException missing) {
      var parent = Optional.ofNullable(path.getParent());
      var name = Optional.ofNullable(path.getFileName());
      return parent.isEmpty() || name.isEmpty()
          ? path.toAbsolutePath().normalize()
          : of(parent.get()).resolve(name.get());
    }
  }

  static Path home() {
    return of(Path.of(System.getProperty("user.home", "/")));
  }

  /// Every link on the way to a path, by where it really lies.
  static Stream<Path> links(Path path) {
    return Stream.iterate(Optional.of(path), Optional::isPresent, at -> at.map(Path::getParent))
        .flatMap(Optional::stream)
        .filter(Files::isSymbolicLink)
        .flatMap(link -> lies(link).stream());
  }

  private static Optional<Path> lies(Path link) {
    return Optional.ofNullable(link.getParent())
        .flatMap(parent -> Optional.ofNullable(link.getFileName()).map(of(parent)::resolve));
  }
}
