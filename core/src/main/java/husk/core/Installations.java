package husk.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Where programs of this machine are, and what of its files they need.
final class Installations {
  private static final Path SYSTEM = Path.of("/usr");

  /// Folders of a home that hold programs beside much else, keys among it.
  private static final Set<String> MIXED = Set.of(".local", ".cargo", "go", ".config", ".cache");

  private static final List<String> OF_PROGRAMS = List.of("bin", "lib", "lib64", "libexec");

  private Installations() {}

  /// The program that a shell with this `PATH` would start.
  static Optional<Path> find(String program, Optional<String> path) {
    return Pattern.compile(":")
        .splitAsStream(path.orElse(""))
        .filter(folder -> folder.startsWith("/"))
        .flatMap(folder -> in(folder, program).stream())
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .flatMap(file -> Shims.behind(file).stream())
        .findFirst();
  }

  private static Optional<Path> in(String folder, String program) {
    try {
      return Optional.of(Path.of(folder, program));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /// What must be seen for a program to run: the folder it was installed to, such as a virtual
  /// environment, and the one that its links lead to.
  static Stream<Path> of(Path program) {
    return Stream.of(program, real(program))
        .flatMap(Installations::around)
        .filter(path -> !isSystem(path) && Files.exists(path))
        .distinct();
  }

  private static Stream<Path> around(Path program) {
    var prefix =
        Optional.ofNullable(program.getParent())
            .filter(folder -> folder.endsWith("bin"))
            .map(Path::getParent);
    if (!program.isAbsolute() || prefix.isEmpty()) {
      return Stream.of(program).filter(Path::isAbsolute);
    }
    return isMixed(prefix.get())
        ? OF_PROGRAMS.stream().map(prefix.get()::resolve)
        : Stream.of(prefix.get());
  }

  private static boolean isMixed(Path prefix) {
    return prefix.getNameCount() < 2
        || prefix.equals(Path.of(System.getProperty("user.home", "/")))
        || MIXED.contains(String.valueOf(prefix.getFileName()));
  }

  /// Whether every sandbox has it anyway.
  static boolean isSystem(Path path) {
    return path.startsWith(SYSTEM)
        || path.getNameCount() < 2
        || Files.isSymbolicLink(Path.of("/").resolve(path.getName(0)));
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }
}
