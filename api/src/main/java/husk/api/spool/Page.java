package husk.api.spool;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Consecutive records, each with its length in front: in memory, or in a file of its own.
///
/// Guarded by its spool's lock, but for [#load] of a page that has moved to its file and changes no
/// more.
final class Page {
  static final int LENGTH = Integer.BYTES;
  private static final int FIRST_CHUNK = 512;

  /// Larger files hold one large record, which is not brought into memory as a whole.
  private static final int MAPPED = 4 << 20;

  private final long first;
  private long count;
  private byte[] data = new byte[0];
  private int used;
  private Optional<Path> file = Optional.empty();

  Page(long first) {
    this.first = first;
  }

  long last() {
    return first + count - 1;
  }

  int size() {
    return used;
  }

  boolean inMemory() {
    return file.isEmpty();
  }

  void add(List<byte[]> parts, int length) {
    int needed = Math.addExact(used, LENGTH + length);
    if (needed > data.length) {
      data = Arrays.copyOf(data, Math.max(needed, Math.max(FIRST_CHUNK, data.length * 2)));
    }
    var target = ByteBuffer.wrap(data, used, LENGTH + length).putInt(length);
    parts.forEach(target::put);
    used = needed;
    count++;
  }

  /// Moves it to a file.
  void spill(Path directory) throws IOException {
    write(directory, List.of(ByteBuffer.wrap(data, 0, used)));
    data = new byte[0];
  }

  /// Writes its one record to a file, without a copy in memory.
  void addToFile(Path directory, List<byte[]> parts, int length) throws IOException {
    var buffers = new java.util.ArrayList<ByteBuffer>();
    buffers.add(ByteBuffer.allocate(LENGTH).putInt(length).flip());
    parts.forEach(part -> buffers.add(ByteBuffer.wrap(part)));
    write(directory, buffers);
    used = LENGTH + length;
    count = 1;
  }

  private void write(Path directory, List<ByteBuffer> buffers) throws IOException {
    var target = Files.createTempFile(directory, "spool-", "");
    try (var out = Files.newOutputStream(target)) {
      for (var buffer : buffers) {
        out.write(buffer.array(), buffer.arrayOffset(), buffer.limit());
      }
    } catch (IOException e) {
      Files.deleteIfExists(target);
      throw e;
    }
    file = Optional.of(target);
  }

  void discard() {
    data = new byte[0];
    try {
      if (file.isPresent()) {
        Files.deleteIfExists(file.get());
      }
    } catch (IOException e) {
      // whoever owns the directory removes it with all that is in it
    }
  }

  /// All of it.
  ByteBuffer load() throws IOException {
    if (file.isEmpty()) {
      return ByteBuffer.wrap(data, 0, used);
    }
    if (used <= MAPPED) {
      return ByteBuffer.wrap(Files.readAllBytes(file.get()));
    }
    try (var channel = FileChannel.open(file.get(), StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, used, Arena.ofAuto()).asByteBuffer();
    }
  }

  /// Where the record of this number begins, in what [#load] gave.
  int offset(ByteBuffer loaded, long sequence) {
    int at = 0;
    for (long i = first; i < sequence; i++) {
      at += LENGTH + loaded.getInt(at);
    }
    return at;
  }
}
