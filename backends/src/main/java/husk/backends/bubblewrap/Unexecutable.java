package husk.backends.bubblewrap;

import husk.model.Problem;
import husk.spi.Commands;
import husk.spi.Mount;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /// Bubblewrap has no option for it; the agent's program does it from outside, before anybody else
  /// knows of the sandbox.
  static void enforce(SandboxSpec spec, SandboxPlace place, SandboxProcess first)
      throws IOException {
    var folders = folders(spec);
    if (folders.isEmpty()) {
      return;
    }
    var command = new ArrayList<>(List.of(place.agent().toString(), "noexec"));
    command.add(Long.toString(first.pid()));
    command.addAll(folders);
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new Problem(
            Problem.Code.ISOLATION_UNAVAILABLE,
            "programs cannot be kept from being started in " + folders + ": " + said.strip(),
            "use a kernel from Linux 5.12 on, or another profile");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting a sandbox", e);
    }
  }
}
