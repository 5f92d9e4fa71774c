package husk.wire.zmtp;

import java.nio.ByteBuffer;
import java.util.List;

/// Turns messages and commands into the bytes of their frames.
final class FrameEncoder {
  private static final int LARGEST_SHORT = 255;

  private FrameEncoder() {}

  /// The header and the body of each frame; the bodies are not copied.
  static ByteBuffer[] message(List<byte[]> frames) {
    if (frames.isEmpty()) {
      throw new IllegalArgumentException("a message has at least one frame");
    }
    var buffers = new ByteBuffer[2 * frames.size()];
    for (int i = 0; i < frames.size(); i++) {
      var body = frames.get(i);
      buffers[2 * i] = header(i + 1 < frames.size() ? FrameDecoder.MORE : 0, body.length);
      buffers[2 * i + 1] = ByteBuffer.wrap(body);
    }
    return buffers;
  }

  static ByteBuffer[] command(byte[] body) {
    return new ByteBuffer[] {header(FrameDecoder.COMMAND, body.length), ByteBuffer.wrap(body)};
  }

  private static ByteBuffer header(int flags, int size) {
    return size <= LARGEST_SHORT
        ? ByteBuffer.allocate(2).put((byte) flags).put((byte) size).flip()
        : ByteBuffer.allocate(9).put((byte) (flags | FrameDecoder.LONG)).putLong(size).flip();
  }
}
