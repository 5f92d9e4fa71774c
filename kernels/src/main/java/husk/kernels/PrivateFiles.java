package husk.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Set;

/// Files and folders that only their owner can read, from the moment they exist.
public final class PrivateFiles {
  private PrivateFiles() {}

  public static Path directory(Path path) {
    try {
      return Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Writes the file whole or not at all.
  public static void write(Path file, String text) {
    var draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(draft);
      try (var channel =
          Files.newByteChannel(
              draft,
              Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
        channel.write(java.nio.ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Removes a file or a folder with all that is in it; what is not there is no matter.
  public static void delete(Path path) {
    if (!Files.exists(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var tree = Files.walk(path)) {
      for (var entry : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException | UncheckedIOException e) {
      // A kernel that is being killed may still write; the caller looks at what is left.
    }
  }
}
