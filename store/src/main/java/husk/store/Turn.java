package husk.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The right to make a registry anew, held by one thread of one process.
final class Turn implements AutoCloseable {
  /// File locks belong to the process; its threads take turns here.
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final FileChannel channel;
  private final FileLock lock;

  private Turn(FileChannel channel) throws IOException {
    this.channel = channel;
    this.lock = channel.lock();
  }

  static Turn of(Path registry) throws IOException {
    THREADS.lock();
    try {
      return new Turn(
          FileChannel.open(
              registry.resolveSibling(registry.getFileName() + "-turn"),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    } catch (IOException | RuntimeException e) {
      THREADS.unlock();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      lock.release();
    } finally {
      THREADS.unlock();
    }
  }
}
