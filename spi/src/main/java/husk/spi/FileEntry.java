package husk.spi;

import java.time.Instant;
import java.util.Optional;

/// A file, folder or something else in a sandbox.
public record FileEntry(
    String name, Kind kind, long size, int mode, Instant modifiedAt, Optional<String> target) {

  /// What it is.
  public enum Kind {
    FILE,
    DIRECTORY,
    SYMLINK,
    OTHER;

    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
