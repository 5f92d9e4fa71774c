package husk.backends.bubblewrap;

import husk.spi.Commands;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Folders from which no program can be started: those that are memory under the restrictive
/// profile, and everything that can be written where only some programs may run.
final class Unexecutable {
  private Unexecutable() {}

  static List<String> folders(SandboxSpec spec) {
    boolean only = spec.commands().filter(Commands::only).isPresent();
    var memory = MemoryFolders.of(spec.limits()).keySet().stream();
    var own = Stream.of(Walls.WORKSPACE, Walls.HOME);
    var mounted =
        spec.mounts().stream().filter(Mount::writable).map(Mount::target).map(Path::toString);
    if (only) {
      return Stream.of(memory, own, mounted).flatMap(all -> all).distinct().toList();
    }
    return spec.readOnly() ? memory.toList() : List.of();
  }
}
