package husk.core;

import java.nio.file.Path;

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
    return sockets.resolve("k").resolve(kernelId);
  }

  Path environments() {
    return home.resolve("python");
  }
}
