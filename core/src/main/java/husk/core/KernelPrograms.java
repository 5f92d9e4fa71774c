package husk.core;

import husk.kernels.KernelSpec;
import husk.spi.Mount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a kernelspec's command needs of the host's files to run inside a sandbox.
final class KernelPrograms {
  private KernelPrograms() {}

  /// The command with its program named in full, where the sandbox would not find it by its name.
  static List<String> command(KernelSpec spec, Path connectionFile, Optional<String> path) {
    var words = new ArrayList<>(spec.command(connectionFile));
    var program = words.getFirst();
    if (!program.contains("/")) {
      Installations.find(program, path).map(Path::toString).ifPresent(found -> words.set(0, found));
    }
    return List.copyOf(words);
  }

  /// Each at the place where it is outside, read-only.
  static List<Mount> needed(List<String> argv) {
    var named =
        argv.stream()
            .skip(1)
            .filter(word -> word.startsWith("/"))
            .map(word -> around(Path.of(word)))
            .filter(path -> !Installations.isSystem(path) && Files.exists(path));
    return Stream.concat(Installations.of(Path.of(argv.getFirst())), named)
        .distinct()
        .map(path -> new Mount(path, path, false))
        .toList();
  }

  /// A file of a kernelspec's own folder comes with that folder.
  private static Path around(Path named) {
    var path = named.normalize();
    return Optional.ofNullable(path.getParent())
        .filter(folder -> Files.exists(folder.resolve("kernel.json")))
        .orElse(path);
  }
}
