package husk.local;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The streaming format: any number of frames, each a byte for its kind, four for the length of the
/// payload (big-endian), and the payload.
public final class Frames {
  /// What a client asks for with `Accept`.
  public static final String MEDIA_TYPE = "application/vnd.husk.frames";

  /// Longer payloads are taken for garbage.
  static final int LONGEST = 1 << 29;

  private static final int HEAD = 5;

  private Frames() {}

  /// Reads the next frame; empty at the end of the stream between two frames.
  public static Optional<Frame> read(InputStream in) throws IOException {
    byte[] head = in.readNBytes(HEAD);
    if (head.length == 0) {
      return Optional.empty();
    }
    if (head.length < HEAD) {
      throw cut();
    }
    var kind = Frame.Kind.of(head[0]);
    int length = 0;
    for (int i = 1; i < HEAD; i++) {
      length = (length << 8) | (head[i] & 0xff);
    }
    if (kind == null || length < 0 || length > LONGEST) {
      throw new IOException("the stream holds something that is not a frame");
    }
    byte[] payload = in.readNBytes(length);
    if (payload.length < length) {
      throw cut();
    }
    return Optional.of(new Frame(kind, payload));
  }

  /// Writes one frame and flushes. Callers on several threads take turns on `out`.
  public static void write(OutputStream out, Frame.Kind kind, byte[] payload) throws IOException {
    byte[] frame = new byte[HEAD + payload.length];
    frame[0] = (byte) kind.mark();
    for (int i = 1; i < HEAD; i++) {
      frame[i] = (byte) (payload.length >>> (8 * (HEAD - 1 - i)));
    }
    System.arraycopy(payload, 0, frame, HEAD, payload.length);
    synchronized (out) {
      out.write(frame);
      out.flush();
    }
  }

  public static void write(OutputStream out, Frame.Kind kind, String payload) throws IOException {
    write(out, kind, payload.getBytes(StandardCharsets.UTF_8));
  }

  private static EOFException cut() {
    return new EOFException("the stream ended in the middle of a frame");
  }
}
