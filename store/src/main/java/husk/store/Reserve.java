package husk.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Some room on the registry's disk, kept for when there is no other: so that kernels can be
/// forgotten, and the registry opened, on a disk that is full.
final class Reserve {
  private static final int SIZE = 256 << 10;

  private final Path file;

  Reserve(Path registry) {
    this.file = registry.resolveSibling(registry.getFileName() + "-reserve");
  }

  /// Takes it, if there is room and it was not taken before.
  void take() {
    if (Files.exists(file)) {
      return;
    }
    try (var channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      var zeros = ByteBuffer.allocate(SIZE);
      while (zeros.hasRemaining()) {
        channel.write(zeros);
      }
    } catch (IOException full) {
      release();
    }
  }

  /// Gives it back; false when there was nothing to give.
  boolean release() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      return false;
    }
  }
}
