package husk.api.listen;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/// The keys that let a caller in. Only their digests are kept, and all of them are compared, each
/// in constant time: neither a key nor its length can be found by measuring.
final class ApiKeys {
  private final List<byte[]> given;
  private final Optional<KeyFile> file;

  private ApiKeys(List<byte[]> given, Optional<KeyFile> file) {
    this.given = given;
    this.file = file;
  }

  static ApiKeys of(List<String> keys) {
    return of(keys, Optional.empty());
  }

  /// Those given and those in a file, one per line; empty lines and `#` comments are passed over.
  static ApiKeys of(List<String> keys, Optional<Path> file) {
    return new ApiKeys(keys.stream().map(ApiKeys::digest).toList(), file.map(KeyFile::new));
  }

  boolean none() {
    return given.isEmpty() && file.isEmpty();
  }

  boolean accept(String shown) {
    var digest = digest(shown);
    boolean known = among(given, digest);
    known |= file.filter(it -> among(it.digests(), digest)).isPresent();
    return known;
  }

  private static boolean among(List<byte[]> known, byte[] digest) {
    boolean found = false;
    for (var each : known) {
      found |= MessageDigest.isEqual(each, digest);
    }
    return found;
  }

  static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
