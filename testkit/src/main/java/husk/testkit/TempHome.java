package husk.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A folder for one test to use as HUSK_HOME, gone when it is closed. Its path is short, because
/// that of a Unix socket inside it may have 107 bytes at most.
public final class TempHome implements AutoCloseable {
  private static final String OF_TESTS = "husk-test-";

  /// How the names of this JVM's homes begin.
  static final String PREFIX = OF_TESTS + LeakDetector.marker() + "-";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Path path;

  private TempHome(Path path) {
    this.path = path;
  }

  public static TempHome create() throws IOException {
    var path = Path.of("/tmp", PREFIX + COUNT.incrementAndGet());
    var mine = PosixFilePermissions.fromString("rwx------");
    return new TempHome(Files.createDirectory(path, PosixFilePermissions.asFileAttribute(mine)));
  }

  public Path path() {
    return path;
  }

  /// A path inside it.
  public Path resolve(String inside) {
    return path.resolve(inside);
  }

  static boolean isOfTests(Path entry) {
    return entry.getFileName().toString().startsWith(OF_TESTS);
  }

  static boolean isOurs(Path entry) {
    return entry.getFileName().toString().startsWith(PREFIX);
  }

  /// Deletes it; a process that is still busy inside may delete its own files meanwhile.
  @Override
  public void close() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(path, new Deletion());
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      // A test may have taken away its own right to list it.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
