package husk.core.trust;

import java.nio.file.Path;
import java.time.Instant;

/// A content that its user has trusted, as it is remembered.
///
/// @param path where the file is
/// @param sha256 of the bytes that were trusted
/// @param trustedAt when that was
/// @param text what it said, to show later what has changed since
public record Trusted(String path, String sha256, Instant trustedAt, String text) {
  public Path location() {
    return Path.of(path);
  }

  boolean is(ProjectText content) {
    return path.equals(content.location().toString()) && sha256.equals(content.sha256());
  }
}
