package husk.wire.zmtp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Reads the greeting and then frames from a channel, many small ones with one system call.
final class FrameReader {
  private final ReadableByteChannel channel;
  private final FrameDecoder decoder;
  private final ByteBuffer buffer;

  FrameReader(ReadableByteChannel channel, Limits limits, FrameGate gate, int bufferSize) {
    this.channel = channel;
    this.decoder = new FrameDecoder(limits.frameSize(), limits.kept(), gate);
    this.buffer = ByteBuffer.allocate(bufferSize).flip();
  }

  void readGreeting() throws IOException {
    var greeting = new byte[Greeting.SIZE];
    for (int arrived = 0; arrived < Greeting.SIZE; ) {
      fill();
      int count = Math.min(buffer.remaining(), Greeting.SIZE - arrived);
      buffer.get(greeting, arrived, count);
      arrived += count;
      Greeting.check(greeting, arrived);
    }
  }

  Frame next() throws IOException {
    while (true) {
      var frame = decoder.next(buffer);
      if (frame != null) {
        return frame;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    if (buffer.hasRemaining()) {
      return;
    }
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    if (count < 0) {
      throw new EOFException(
          decoder.idle()
              ? "the peer closed the connection"
              : "the peer left in the middle of a frame");
    }
  }
}
