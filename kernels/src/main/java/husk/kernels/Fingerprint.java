package husk.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Short names for long things.
final class Fingerprint {
  private Fingerprint() {}

  static String of(String... parts) {
    var digest = sha256();
    for (var part : parts) {
      digest.update(part.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /// Of the Python files below a folder.
  static String ofTree(Path folder) {
    var digest = sha256();
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(f -> f.toString().endsWith(".py")).sorted().toList()) {
        if (!file.startsWith(folder.resolve("tests"))) {
          digest.update(folder.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
          digest.update(Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static String ofFile(Path file) {
    try {
      return HexFormat.of().formatHex(sha256().digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
