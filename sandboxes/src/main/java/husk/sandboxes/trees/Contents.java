package husk.sandboxes.trees;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What is in files: copied and compared.
final class Contents {
  private static final int BLOCK = 256 * 1024;

  /// Below this, holes are not worth looking for.
  private static final long LARGE = 16L * 1024 * 1024;

  private static final int SAMPLES = 16;

  private Contents() {}

  /// Fills a new file with what `from` holds now. The kernel copies, and shares the blocks where
  /// the file system can; a file that seems to have holes keeps them, because it may be larger than
  /// the disk.
  static long copy(Held from, Held to) throws IOException {
    // No more than there is at the start: somebody may be appending without an end.
    long size = from.attributes().size();
    if (size < LARGE) {
      long done = Transfer.copy(from.descriptor(), to.descriptor(), size);
      if (done == size) {
        return done;
      }
    }
    try (var source = from.channel();
        var made = to.channel(StandardOpenOption.WRITE)) {
      return size >= LARGE && seemsHoled(source, size)
          ? copyAroundHoles(source, made, size)
          : copyWhole(source, made, size);
    }
  }

  private static long copyWhole(FileChannel from, FileChannel made, long size) throws IOException {
    long done = 0;
    while (done < size) {
      var moved = from.transferTo(done, size - done, made);
      if (moved <= 0) {
        break;
      }
      done += moved;
    }
    return done;
  }

  private static boolean seemsHoled(FileChannel from, long size) throws IOException {
    var block = ByteBuffer.allocate(4096);
    for (var i = 0; i < SAMPLES; i++) {
      block.clear();
      if (from.read(block, size / SAMPLES * i) == block.capacity() && isZero(block.flip())) {
        return true;
      }
    }
    return false;
  }

  private static long copyAroundHoles(FileChannel from, FileChannel made, long size)
      throws IOException {
    var block = ByteBuffer.allocateDirect(BLOCK);
    long at = 0;
    while (at < size) {
      block.clear().limit((int) Math.min(BLOCK, size - at));
      var count = from.read(block, at);
      if (count <= 0) {
        break;
      }
      if (!isZero(block.flip())) {
        writeAll(made, block, at);
      }
      at += count;
    }
    giveLength(made, at);
    return at;
  }

  private static void writeAll(FileChannel made, ByteBuffer block, long at) throws IOException {
    var start = at;
    while (block.hasRemaining()) {
      start += made.write(block, start);
    }
  }

  /// A hole at the end is only as long as its last byte makes it.
  private static void giveLength(FileChannel made, long size) throws IOException {
    if (made.size() < size) {
      writeAll(made, ByteBuffer.allocate(1), size - 1);
    }
  }

  /// The first byte is zero, and every byte is like the one before it.
  private static boolean isZero(ByteBuffer block) {
    var size = block.remaining();
    var at = block.position();
    return block.get(at) == 0 && block.slice(at, size - 1).equals(block.slice(at + 1, size - 1));
  }

  static boolean equal(FileChannel one, Path other) throws IOException {
    try (var two = FileChannel.open(other, StandardOpenOption.READ)) {
      return one.size() == two.size() && equal(one, two);
    }
  }

  private static boolean equal(FileChannel one, FileChannel two) throws IOException {
    var size = Math.clamp(two.size(), 1, BLOCK);
    var here = ByteBuffer.allocate(size);
    var there = ByteBuffer.allocate(size);
    for (long at = 0; ; at += here.limit()) {
      fill(one, here.clear(), at);
      fill(two, there.clear(), at);
      if (!here.equals(there)) {
        return false;
      }
      if (here.limit() == 0) {
        return true;
      }
    }
  }

  private static void fill(FileChannel from, ByteBuffer block, long at) throws IOException {
    while (block.hasRemaining()) {
      if (from.read(block, at + block.position()) < 0) {
        break;
      }
    }
    block.flip();
  }
}
