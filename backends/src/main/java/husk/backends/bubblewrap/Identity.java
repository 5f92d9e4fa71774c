package husk.backends.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/// As whom a sandbox's processes run, as the host sees it.
///
/// A process that the kernel knows as root has rights even without a capability, because it owns
/// much: `/proc/sys` above all. So a daemon that runs as root gives each sandbox a number of its
/// own; any other user's sandboxes run as that user.
final class Identity {
  private static final long FIRST = 0x7000_0000L;
  private static final long NOBODY = 65_534;

  private Identity() {}

  /// The number of its own that the sandbox of this id gets; none where we are not root.
  static OptionalLong of(String id) {
    if (!isRoot()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        mapped(FIRST + 0xfffff) ? FIRST + Long.parseLong(id.substring(0, 5), 16) : NOBODY);
  }

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name")) || owns(Path.of("/proc/self"), 0);
  }

  private static boolean owns(Path path, int uid) {
    try {
      return Files.getAttribute(path, "unix:uid") instanceof Integer owner && owner == uid;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /// Inside a container there may be fewer numbers than usual.
  private static boolean mapped(long uid) {
    try (var lines = Files.lines(Path.of("/proc/self/uid_map"), StandardCharsets.US_ASCII)) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .anyMatch(
              range ->
                  Long.parseLong(range[0]) <= uid
                      && uid < Long.parseLong(range[0]) + Long.parseLong(range[2]));
    } catch (IOException e) {
      return false;
    }
  }
}
