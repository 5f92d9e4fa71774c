package husk.backends.bubblewrap;

import husk.spi.Mount;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What of the machine is seen inside, read-only: programs, libraries, and of `/etc` the little
/// that programs need. Nothing that tells of its users or holds a secret.
final class SystemFolders {
  private static final List<String> TOP = List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32");

  private static final List<String> ETC =
      List.of(
          "alternatives",
          "ca-certificates",
          "ca-certificates.conf",
          "fonts",
          "gai.conf",
          "java",
          "java-17-openjdk",
          "java-21-openjdk",
          "java-25-openjdk",
          "ld.so.cache",
          "ld.so.conf",
          "ld.so.conf.d",
          "localtime",
          "magic",
          "mime.types",
          "npmrc",
          "os-release",
          "debian_version",
          "pki/ca-trust",
          "pki/tls/certs",
          "protocols",
          "python3",
          "python3.11",
          "services",
          "ssl/certs",
          "ssl/openssl.cnf",
          "terminfo",
          "timezone");

  private SystemFolders() {}

  /// Where a specification puts something of its own into `/etc`, each part of it must be a mount
  /// of its own, so that there is room for more.
  static List<String> arguments(SandboxSpec spec, SandboxPlace place) throws IOException {
    var arguments = top();
    if (ordinaryEtc(spec)) {
      var etc = new SharedEtc(Path.of("/etc"), ETC, OwnFiles.CONTENTS).beside(place);
      arguments.addAll(List.of("--ro-bind", etc.toString(), "/etc"));
    } else {
      arguments.addAll(etc());
      arguments.addAll(OwnFiles.arguments(place));
    }
    return arguments;
  }

  private static boolean ordinaryEtc(SandboxSpec spec) {
    return spec.commands().isEmpty()
        && Stream.concat(spec.mounts().stream().map(Mount::target), spec.hidden().stream())
            .noneMatch(path -> path.startsWith("/etc") || Path.of("/etc").startsWith(path));
  }

  private static List<String> top() {
    var arguments = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
    for (var name : TOP) {
      var path = Path.of("/", name);
      if (Files.isSymbolicLink(path)) {
        arguments.addAll(List.of("--symlink", target(path), path.toString()));
      } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
      }
    }
    return arguments;
  }

  private static List<String> etc() {
    var arguments = new ArrayList<String>();
    for (var name : ETC) {
      var path = Path.of("/etc").resolve(name);
      if (Files.exists(path)) {
        arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
      }
    }
    return arguments;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
