package husk;

import husk.model.Problem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where Husk is installed: where the property `husk.dist` or the variable `HUSK_DIST` says, or
/// where the `husk` on the path belongs to.
final class Installation {
  private static final String PROPERTY = "husk.dist";
  private static final String VARIABLE = "HUSK_DIST";

  private Installation() {}

  /// The environment with the installation's folder in it, if it is to be found.
  static Map<String, String> locate(Map<String, String> environment) {
    var dist = dist(environment);
    if (dist.isEmpty()) {
      return environment;
    }
    var located = new HashMap<>(environment);
    located.put(VARIABLE, dist.get().toString());
    return located;
  }

  /// The code that Husk brings into its Python kernels.
  static Path guest(Map<String, String> environment) {
    var guest = dist(environment).map(dist -> dist.resolve("guest/python"));
    if (guest.filter(Files::isDirectory).isEmpty()) {
      throw new Problem(
          Problem.Code.TOOL_MISSING,
          guest
              .map(missing -> "`" + missing + "` is missing, the code that kernels are made of")
              .orElse("it is not known where Husk is installed"),
          "set HUSK_DIST to the installation's folder, or have its `husk` on the PATH");
    }
    return guest.get();
  }

  private static Optional<Path> dist(Map<String, String> environment) {
    var named = System.getProperty(PROPERTY, environment.getOrDefault(VARIABLE, ""));
    return named.isBlank() ? onPath(environment) : Optional.of(Path.of(named).toAbsolutePath());
  }

  private static Optional<Path> onPath(Map<String, String> environment) {
    for (var folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path program = Path.of(folder, "husk");
      if (folder.startsWith("/") && Files.isExecutable(program)) {
        return belongsTo(program);
      }
    }
    return Optional.empty();
  }

  /// From `DIST/bin/husk`, or from a checkout's `husk`.
  private static Optional<Path> belongsTo(Path program) {
    try {
      Path folder = program.toRealPath().resolveSibling("");
      return List.of(folder.resolve(".."), folder.resolve("app/target/husk")).stream()
          .map(Path::normalize)
          .filter(dist -> Files.isExecutable(dist.resolve("bin/husk-daemon")))
          .findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
