package husk.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// Moves a damaged registry out of the way, with the files that lie beside it.
final class SetAside {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

  private SetAside() {}

  /// Gives its new name. The log goes first: left behind, it would be taken for the new one's.
  static Path move(Path file) throws IOException {
    var name = file.getFileName() + ".damaged-" + MOMENT.format(Instant.now());
    for (var suffix : List.of("-wal", "-shm", "-journal", "")) {
      var target = file.resolveSibling(name + suffix);
      try {
        Files.move(file.resolveSibling(file.getFileName() + suffix), target);
      } catch (NoSuchFileException none) {
        // there was none
      }
    }
    return file.resolveSibling(name);
  }
}
