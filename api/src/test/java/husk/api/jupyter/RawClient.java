package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;

/// A WebSocket client that does what proper ones do not: reads when it likes, breaks frames and
/// rules.
final class RawClient implements AutoCloseable {
  static final int CLOSE = 8;
  static final int PING = 9;

  private static final byte[] MASK = {1, 2, 3, 4};

  private final Socket socket = new Socket();
  private final DataInputStream in;
  final String status;

  /// @param receiveBuffer how much the system takes for a client that does not read; 0 for as much
  ///   as it likes
  RawClient(TestServer server, String kernelId, String query, int receiveBuffer) {
    this(server, kernelId, query, receiveBuffer, "");
  }

  /// @param headers more of them, each with its line's end
  RawClient(TestServer server, String kernelId, String query, int receiveBuffer, String headers) {
    try {
      if (receiveBuffer > 0) {
        socket.setReceiveBufferSize(receiveBuffer);
      }
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      socket.setSoTimeout((int) Client.PATIENCE_SECONDS * 1000);
      in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
      write(
          ("GET /api/kernels/"
                  + kernelId
                  + "/channels"
                  + query
                  + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                  + "Sec-WebSocket-Version: 13\r\n"
                  + headers
                  + "\r\n")
              .getBytes(US_ASCII));
      status = line();
      while (!line().isEmpty()) {
        // headers
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server hung up");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(US_ASCII);
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /// @param first the byte with flags and code
  synchronized void frame(int first, byte[] payload) throws IOException {
    var out = new ByteArrayOutputStream();
    out.write(first);
    if (payload.length < 126) {
      out.write(0x80 | payload.length);
    } else {
      out.write(0x80 | 127);
      out.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
    }
    out.writeBytes(MASK);
    var masked = payload.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= MASK[i & 3];
    }
    out.writeBytes(masked);
    write(out.toByteArray());
  }

  void text(String text) throws IOException {
    frame(0x81, text.getBytes(UTF_8));
  }

  /// A text in fragments of any size, which may break characters apart.
  void fragments(byte[] text, Random random) throws IOException {
    int at = 0;
    int code = 1;
    while (at < text.length) {
      int count = Math.min(1 + random.nextInt(7), text.length - at);
      boolean last = at + count == text.length;
      frame((last ? 0x80 : 0) | code, java.util.Arrays.copyOfRange(text, at, at + count));
      code = 0;
      at += count;
    }
  }

  /// One frame from the server.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int code, byte[] payload) {
    String text() {
      return new String(payload, UTF_8);
    }

    int closeCode() {
      return ByteBuffer.wrap(payload).getShort() & 0xffff;
    }
  }

  /// The next frame; empty when the server has hung up.
  Optional<Frame> read() throws IOException {
    int first = in.read();
    return first < 0
        ? Optional.empty()
        : Optional.of(new Frame(first & 0x0f, in.readNBytes((int) length())));
  }

  private long length() throws IOException {
    int length = in.readUnsignedByte();
    return switch (length) {
      case 126 -> in.readUnsignedShort();
      case 127 -> in.readLong();
      default -> length;
    };
  }

  /// Reads past a frame and gives its size.
  long skip() throws IOException {
    in.readUnsignedByte();
    long length = length();
    in.skipNBytes(length);
    return length;
  }

  /// What the server says when it closes, reading past everything else.
  int awaitClose() throws IOException {
    while (true) {
      var frame = read().orElseThrow(() -> new AssertionError("it hung up without a goodbye"));
      if (frame.code() == CLOSE) {
        return frame.closeCode();
      }
    }
  }

  /// Answers a ping, as a proper client would.
  void pong(Frame ping) throws IOException {
    frame(0x8a, ping.payload());
  }

  /// Leaves without a goodbye, as when the network breaks.
  void drop() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
