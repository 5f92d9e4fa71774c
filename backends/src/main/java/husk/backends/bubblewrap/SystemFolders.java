package husk.backends.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

  static List<String> arguments() {
    var arguments = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
    for (var name : TOP) {
      var path = Path.of("/", name);
      if (Files.isSymbolicLink(path)) {
        arguments.addAll(List.of("--symlink", target(path), path.toString()));
      } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        arguments.addAll(List.of("--ro-bind", path.toString(), path.toString()));
      }
    }
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
