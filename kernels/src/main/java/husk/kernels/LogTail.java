package husk.kernels;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Reads the end of a log file, however long the file is.
public final class LogTail {
  private LogTail() {}

  public static String read(Path file, int bytes) {
    try (var channel = FileChannel.open(file)) {
      long from = Math.max(0, channel.size() - bytes);
      var buffer = ByteBuffer.allocate((int) (channel.size() - from));
      channel.position(from);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // until the buffer is full or the file ends
      }
      return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    } catch (IOException missing) {
      return "";
    }
  }
}
