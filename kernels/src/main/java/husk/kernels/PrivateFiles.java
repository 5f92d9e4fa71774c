package husk.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Set;

/// Files and folders that only their owner can read, from the moment they exist.
public final class PrivateFiles {
  private static final int MOST_TRIES = 50;

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
  ///
  /// Whoever still writes into it, a kernel that is being killed or its parent that notes how it
  /// ended, can do so only until it is gone: so it is tried again.
  public static void delete(Path path) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || removed(path)) {
        return;
      }
    }
  }

  private static boolean removed(Path path) {
    try (var tree = Files.walk(path)) {
      for (var entry : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }
}
