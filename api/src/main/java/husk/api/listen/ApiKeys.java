package husk.api.listen;

import husk.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The keys that let a caller in. Only their digests are kept, and all of them are compared, each
/// in constant time: neither a key nor its length can be found by measuring.
final class ApiKeys {
  private final List<byte[]> digests;

  private ApiKeys(List<byte[]> digests) {
    this.digests = digests;
  }

  static ApiKeys of(List<String> keys) {
    return new ApiKeys(keys.stream().map(ApiKeys::digest).toList());
  }

  /// Those given and those in a file, one per line; empty lines and `#` comments are passed over.
  static ApiKeys of(List<String> keys, Optional<Path> file) {
    var all = new ArrayList<>(keys);
    file.map(ApiKeys::read).ifPresent(all::addAll);
    return of(all);
  }

  private static List<String> read(Path file) {
    try {
      var keys =
          Files.readAllLines(file).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .toList();
      if (keys.isEmpty()) {
        throw new Problem(
            Problem.Code.INVALID_SETTING,
            "the file of API keys `" + file + "` holds no key",
            "write one key per line into it");
      }
      return keys;
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING,
              "the file of API keys `" + file + "` cannot be read: " + e.getMessage())
          .causedBy(e);
    }
  }

  boolean none() {
    return digests.isEmpty();
  }

  boolean accept(String shown) {
    var digest = digest(shown);
    boolean found = false;
    for (var known : digests) {
      found |= MessageDigest.isEqual(known, digest);
    }
    return found;
  }

  private static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
