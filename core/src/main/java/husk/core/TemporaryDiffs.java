package husk.core;

import husk.model.Problem;
import husk.spi.Sandbox;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// Compares what was kept of a sandbox's temporary folders with what is in those of another now.
final class TemporaryDiffs {
  private TemporaryDiffs() {}

  /// @param before by path, what was there
  /// @param after by path, what is there
  /// @param whole whether all that is there could be read
  record Sides(Map<String, String> before, Map<String, String> after, boolean whole) {}

  /// Of one folder; fails if it could not be kept, or cannot be read.
  static Sides of(String folder, Path kept, Sandbox now) throws IOException {
    var archive = TemporaryFiles.archive(folder, kept);
    if (!Files.exists(archive)) {
      throw new IOException(folder + " was not kept");
    }
    var packed = Files.createTempFile(kept, "now-", ".tar");
    try {
      boolean whole = TemporaryFiles.pack(now, folder, packed).isEmpty();
      return new Sides(looks(folder, archive), looks(folder, packed), whole);
    } catch (Problem unreadable) {
      throw new IOException(folder + " cannot be read", unreadable);
    } finally {
      Files.delete(packed);
    }
  }

  private static Map<String, String> looks(String folder, Path archive) throws IOException {
    var inside = new TreeMap<String, String>();
    try (var in = new BufferedInputStream(Files.newInputStream(archive), 1 << 16)) {
      TarLooks.read(in).forEach((path, looks) -> inside.put(folder + "/" + path, looks));
    }
    return inside;
  }
}
