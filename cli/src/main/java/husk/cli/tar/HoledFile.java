package husk.cli.tar;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;

/// Writes a file that has no more of the disk than it has contents: where there are only zeros it
/// gets a hole. A sandbox needs next to nothing for a file of a terabyte; neither must we.
public final class HoledFile extends OutputStream {
  private static final int BLOCK = 64 * 1024;
  private static final byte[] ZEROS = new byte[BLOCK];

  private final FileChannel channel;
  private final byte[] block = new byte[BLOCK];
  private int filled;

  private HoledFile(FileChannel channel) {
    this.channel = channel;
  }

  /// Opens a new or an empty file.
  public static HoledFile open(Path path, OpenOption... options) throws IOException {
    return new HoledFile(FileChannel.open(path, options));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, BLOCK - filled);
      System.arraycopy(bytes, offset + done, block, filled, count);
      filled += count;
      done += count;
      if (filled == BLOCK) {
        put();
      }
    }
  }

  private void put() throws IOException {
    if (filled == BLOCK && Arrays.equals(block, ZEROS)) {
      channel.position(channel.position() + BLOCK);
    } else {
      for (var left = ByteBuffer.wrap(block, 0, filled); left.hasRemaining(); ) {
        channel.write(left);
      }
    }
    filled = 0;
  }

  /// A hole at the end is none until there is something after it.
  private void finish() throws IOException {
    put();
    if (channel.size() < channel.position()) {
      channel.write(ByteBuffer.wrap(ZEROS, 0, 1), channel.position() - 1);
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (channel.isOpen()) {
        finish();
      }
    }
  }
}
