package husk.local;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// One HTTP/1.1 connection over a Unix domain socket, for one thread at a time.
///
/// It can be used again once an answer was read to its end and both sides want to: see [#reusable].
/// Whatever is not a whole and well-formed answer is an [IOException].
public final class UnixHttp implements Closeable {
  private static final byte[] EMPTY = {};
  private static final int PIECE = 64 * 1024;
  private static final String HEX = "0123456789ABCDEF";

  private final SocketChannel channel;
  private final HttpInput input;

  private UnixHttp(SocketChannel channel) {
    this.channel = channel;
    this.input = new HttpInput(channel);
  }

  public static UnixHttp open(Path socket) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return new UnixHttp(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  public HttpAnswer request(String method, String target, Map<String, String> headers)
      throws IOException {
    return request(method, target, headers, EMPTY);
  }

  /// Sends a request and reads the head of the answer; the body is read from the answer.
  public HttpAnswer request(String method, String target, Map<String, String> headers, byte[] body)
      throws IOException {
    if (!reusable()) {
      throw new IOException("this connection has served its last request");
    }
    input.begin();
    send(UnixHttpHead.sized(method, target, headers, body.length), body);
    return HttpAnswer.read(input);
  }

  /// Sends a request whose body is as long as the stream turns out to be, piece by piece. A stream
  /// that fails is passed on as it fails, and the connection closed: half a body is not taken for
  /// the whole.
  public HttpAnswer upload(
      String method, String target, Map<String, String> headers, InputStream in)
      throws IOException {
    if (!reusable()) {
      throw new IOException("this connection has served its last request");
    }
    input.begin();
    send(UnixHttpHead.chunked(method, target, headers), EMPTY);
    var piece = new byte[PIECE];
    for (int read = next(in, piece); read >= 0; read = next(in, piece)) {
      if (read > 0 && !chunk(piece, read)) {
        return HttpAnswer.read(input);
      }
    }
    chunk(piece, 0);
    return HttpAnswer.read(input);
  }

  private int next(InputStream in, byte[] piece) throws IOException {
    try {
      return in.read(piece);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// False when the daemon no longer reads: then it has said why.
  private boolean chunk(byte[] piece, int length) {
    var size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    var bytes = ByteBuffer.allocate(size.length + length + 2);
    bytes.put(size).put(piece, 0, length).put((byte) '\r').put((byte) '\n').flip();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether another request may be made: the last answer was read to its end, and it left the
  /// connection open.
  public boolean reusable() {
    return input.idle() && channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /// A name as one segment of a path: every byte outside RFC 3986's unreserved ones is escaped. A
  /// name of dots alone would mean another path, so its dots are escaped too.
  public static String segment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return name.replace(".", "%2E");
    }
    var text = new StringBuilder(name.length() + 16);
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (unreserved(b)) {
        text.append((char) b);
      } else {
        text.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
    return text.toString();
  }

  private static boolean unreserved(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '-'
        || b == '.'
        || b == '_'
        || b == '~';
  }

  private void send(byte[] head, byte[] body) throws IOException {
    var bytes = ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
