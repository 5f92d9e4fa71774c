package husk.core;

import husk.sandboxes.SandboxPlaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where Husk keeps things.
///
/// @param home what lasts: Python environments, the configuration
/// @param registry the registry's file
/// @param inMemory whether the registry lives and dies with this process instead
/// @param runtime connection files and logs
/// @param sockets short enough a path for Unix sockets; often the same as `runtime`
/// @param guest the guest's Python code
public record Places(
    Path home, Path registry, boolean inMemory, Path runtime, Path sockets, Path guest) {

  Path connectionFile(String kernelId) {
    return runtime.resolve("kernel-" + kernelId + ".json");
  }

  /// A kernel's private folder.
  Path kernel(String kernelId) {
    return kernels().resolve(kernelId);
  }

  /// Where the folders of kernels are.
  Path kernels() {
    return sockets.resolve("k");
  }

  /// What whoever calls next is to be told, once.
  Path notice() {
    return runtime.resolve("notice");
  }

  /// What takes its time right now, for those who wait.
  Path doing() {
    return runtime.resolve("doing");
  }

  /// The guest agent's program: of an installation, or as `make` leaves it among the sources.
  public Path agent() {
    var installed = guest.resolveSibling("agent").resolve("husk-agent");
    return Files.isExecutable(installed)
        ? installed
        : guest.resolveSibling("agent").resolve("build").resolve("husk-agent");
  }

  SandboxPlaces sandboxes() {
    return new SandboxPlaces(
        home.resolve("sandboxes"),
        sockets.resolve("s"),
        agent(),
        Stream.of(home, runtime, sockets).distinct().toList(),
        registry);
  }

  Path environments() {
    return home.resolve("python");
  }
}
