package husk.local;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes that come from a connection, read line by line or in blocks.
final class HttpInput {
  private static final int LONGEST_LINE = 16 * 1024;

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(16 * 1024).limit(0);

  /// Whether nothing is under way: the last answer was read, and the connection stays open.
  private boolean idle = true;

  HttpInput(SocketChannel channel) {
    this.channel = channel;
  }

  boolean idle() {
    return idle;
  }

  void begin() {
    idle = false;
  }

  void end() {
    idle = true;
  }

  /// One line without its end; the end of the stream is an error here.
  String line() throws IOException {
    var line = new byte[128];
    int length = 0;
    for (int b = require(); b != '\n'; b = require()) {
      if (length == LONGEST_LINE) {
        throw new IOException("the daemon's answer holds a line that is too long");
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, length * 2);
      }
      line[length++] = (byte) b;
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return new String(line, 0, length, StandardCharsets.UTF_8);
  }

  /// Up to `length` bytes; -1 at the end of the stream.
  int read(byte[] target, int offset, int length) throws IOException {
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(target, offset, count);
    return count;
  }

  static EOFException cut() {
    return new EOFException("the daemon closed the connection in the middle of its answer");
  }

  private int require() throws IOException {
    if (!fill()) {
      throw cut();
    }
    return buffer.get();
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    try {
      int count = channel.read(buffer);
      buffer.flip();
      return count > 0;
    } catch (IOException | RuntimeException e) {
      buffer.limit(0);
      throw e;
    }
  }
}
