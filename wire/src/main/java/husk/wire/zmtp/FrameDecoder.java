package husk.wire.zmtp;

import husk.wire.DroppedFrame;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds frames in a stream of bytes that arrives in pieces of any size.
///
/// A frame is a byte of flags, a size of one or eight bytes, and a body. States: HEADER -> BODY ->
/// HEADER. The body's array grows with what has arrived, so that a size announced but never sent
/// costs nothing.
final class FrameDecoder {
  static final int MORE = 1;
  static final int LONG = 2;
  static final int COMMAND = 4;

  private static final int FIRST_CHUNK = 64 * 1024;
  private static final int LARGEST_COMMAND = 64 * 1024;

  private final int largestFrame;
  private final int largestKept;
  private final FrameGate gate;
  private final ByteBuffer header = ByteBuffer.allocate(9);
  private boolean inBody;
  private boolean dropping;
  private int size;
  private int filled;
  private byte[] body = new byte[0];

  FrameDecoder(int largestFrame, int largestKept, FrameGate gate) {
    this.largestFrame = largestFrame;
    this.largestKept = largestKept;
    this.gate = gate;
  }

  FrameDecoder(int largestFrame, int largestKept) {
    this(largestFrame, largestKept, FrameGate.OPEN);
  }

  FrameDecoder(int largestFrame) {
    this(largestFrame, largestFrame);
  }

  /// Takes bytes from `input` until a frame is complete, and gives it; null when all were taken and
  /// more are needed.
  @Nullable Frame next(ByteBuffer input) throws ZmtpException {
    if (!inBody && !readHeader(input)) {
      return null;
    }
    readBody(input);
    if (filled < size) {
      return null;
    }
    var frame = new Frame(has(MORE), has(COMMAND), dropping ? DroppedFrame.mark() : body);
    header.clear();
    inBody = false;
    body = new byte[0];
    return frame;
  }

  /// Whether the stream stands between two frames.
  boolean idle() {
    return !inBody && header.position() == 0;
  }

  private boolean readHeader(ByteBuffer input) throws ZmtpException {
    while (header.position() == 0 || header.position() < headerSize()) {
      if (!input.hasRemaining()) {
        return false;
      }
      header.put(input.get());
      checkFlags();
    }
    long announced = has(LONG) ? header.getLong(1) : header.get(1) & 0xff;
    int allowed = has(COMMAND) ? Math.min(LARGEST_COMMAND, largestFrame) : largestFrame;
    if (announced < 0 || announced > allowed) {
      throw new ZmtpException(
          "the peer announces a frame of "
              + Long.toUnsignedString(announced)
              + " bytes, more than the "
              + allowed
              + " allowed");
    }
    size = (int) announced;
    filled = 0;
    dropping = !has(COMMAND) && (size > largestKept || !gate.admit(size));
    body = new byte[dropping ? 0 : Math.min(size, FIRST_CHUNK)];
    inBody = true;
    return true;
  }

  private void readBody(ByteBuffer input) {
    if (dropping) {
      int count = Math.min(input.remaining(), size - filled);
      input.position(input.position() + count);
      filled += count;
      return;
    }
    while (filled < size && input.hasRemaining()) {
      if (filled == body.length) {
        body = Arrays.copyOf(body, (int) Math.min(size, 2L * body.length));
      }
      int count = Math.min(input.remaining(), body.length - filled);
      input.get(body, filled, count);
      filled += count;
    }
  }

  private void checkFlags() throws ZmtpException {
    int flags = header.get(0) & 0xff;
    if (flags > (MORE | LONG | COMMAND) || (has(COMMAND) && has(MORE))) {
      throw new ZmtpException("the peer sent a frame with the flags " + flags);
    }
  }

  private int headerSize() {
    return has(LONG) ? 9 : 2;
  }

  private boolean has(int flag) {
    return (header.get(0) & flag) != 0;
  }
}
