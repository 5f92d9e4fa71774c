package husk.sandboxes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The machine as a sandbox can show it where everything may be read: its folders, without those
/// that a sandbox has of its own, and without the sockets in them.
final class VisibleMachine {
  private static final Path HOMES = Path.of("/home");

  /// What a sandbox has of its own, or shows by itself; in `/run` and `/var` are sockets and state.
  private static final Set<String> OWN =
      Set.of(
          "bin",
          "boot",
          "dev",
          "etc",
          "lib",
          "lib32",
          "lib64",
          "libx32",
          "lost+found",
          "proc",
          "run",
          "sbin",
          "sys",
          "tmp",
          "usr",
          "var",
          "workspace",
          ".husk",
          "home");

  private VisibleMachine() {}

  static List<Path> folders() {
    var homes = in(HOMES).filter(path -> !path.endsWith("husk"));
    var others = in(Path.of("/")).filter(path -> !OWN.contains(String.valueOf(path.getFileName())));
    return Stream.concat(others, homes).toList();
  }

  private static Stream<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (var found = Files.list(folder)) {
      return found
          .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
          .filter(path -> !path.toString().contains(":"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Sockets of the host that somebody listens at: reading must not become talking.
  static List<Path> sockets() {
    var seen = folders();
    try (var lines = Files.lines(Path.of("/proc/net/unix"), StandardCharsets.ISO_8859_1)) {
      return lines
          .map(line -> line.replaceFirst("^(\\S+\\s+){7}", ""))
          .filter(text -> text.startsWith("/"))
          .distinct()
          .map(Path::of)
          .filter(Files::exists)
          .map(RealPaths::of)
          .filter(path -> seen.stream().anyMatch(path::startsWith))
          .toList();
    } catch (IOException unknown) {
      return List.of();
    }
  }
}
