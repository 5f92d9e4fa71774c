package husk.backends.bubblewrap;

import husk.model.Problem;
import husk.spi.Commands;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Which programs are there, where not all of the machine's may be.
///
/// What is not permitted is not to be found: it cannot be started by a shell, a script or anything
/// else, nor copied and started under another name.
final class ProgramFolders {
  private static final List<String> SYSTEM =
      List.of(
          "/usr/bin",
          "/usr/sbin",
          "/usr/games",
          "/usr/local/bin",
          "/usr/local/sbin",
          "/usr/local/games",
          "/bin",
          "/sbin");

  private final Commands commands;
  private final List<Path> folders;

  ProgramFolders(SandboxSpec spec) {
    this.commands = spec.commands().orElse(Commands.ANY);
    this.folders =
        Stream.concat(SYSTEM.stream().map(Path::of), spec.mounts().stream().flatMap(this::inMount))
            .filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS))
            .distinct()
            .toList();
  }

  /// Programs that were mounted with what they belong to are where they are outside.
  private Stream<Path> inMount(Mount mount) {
    return mount.source().equals(mount.target()) && !mount.writable()
        ? Stream.of(mount.target(), mount.target().resolve("bin"))
            .filter(folder -> folder.endsWith("bin"))
        : Stream.of();
  }

  List<String> arguments() {
    try {
      return commands.only() ? shown() : hidden();
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.SANDBOX_FAILED, "cannot list the programs of this machine: " + e)
          .causedBy(e);
    }
  }

  /// Each folder empty but for what is permitted.
  private List<String> shown() throws IOException {
    var arguments = new ArrayList<String>();
    for (var folder : folders) {
      arguments.addAll(Walls.memory(folder.toString(), "0755", 1 << 20));
      for (var program : programs(folder)) {
        if (permits(program)) {
          arguments.addAll(
              List.of("--ro-bind", program.toRealPath().toString(), program.toString()));
        }
      }
      arguments.addAll(List.of("--read-only", folder.toString()));
    }
    return arguments;
  }

  /// What is denied is covered, under every name that it has there.
  private List<String> hidden() throws IOException {
    if (commands.deny().isEmpty()) {
      return List.of();
    }
    var covered = new LinkedHashSet<Path>();
    var denied = denied();
    for (var folder : folders) {
      for (var program : programs(folder)) {
        if (denied.contains(Files.readAttributes(program, "fileKey").get("fileKey"))) {
          covered.add(program.toRealPath());
        }
      }
    }
    return covered.stream()
        .flatMap(program -> Stream.of("--ro-bind", "/dev/null", program.toString()))
        .toList();
  }

  private Set<Object> denied() throws IOException {
    var keys = new HashSet<>();
    for (var folder : folders) {
      for (var program : programs(folder)) {
        if (!permits(program)) {
          keys.add(Files.readAttributes(program, "fileKey").get("fileKey"));
        }
      }
    }
    return keys;
  }

  private boolean permits(Path program) {
    return commands.permits(program.toString());
  }

  private static List<Path> programs(Path folder) throws IOException {
    try (var found = Files.list(folder)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
