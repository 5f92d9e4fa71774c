package husk.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A program in a sandbox, as the proxy sees it.
final class Client implements AutoCloseable {
  private static final String PREFACE = "HUSK/1 pid=42 comm=curl%20x via=http\n";

  private final SocketChannel channel;

  private Client(SocketChannel channel) {
    this.channel = channel;
  }

  static Client raw(Path socket) throws IOException {
    return new Client(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
  }

  static Client introduced(Path socket) throws IOException {
    var client = raw(socket);
    client.send(PREFACE);
    return client;
  }

  SocketChannel channel() {
    return channel;
  }

  /// What the proxy does not want to read any more is lost, as in real life.
  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte... bytes) throws IOException {
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  void send(int... bytes) throws IOException {
    var buffer = ByteBuffer.allocate(bytes.length);
    for (int b : bytes) {
      buffer.put((byte) b);
    }
    send(buffer.array());
  }

  void finish() throws IOException {
    channel.shutdownOutput();
  }

  byte[] read(int count) throws IOException {
    var buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
    return java.util.Arrays.copyOf(buffer.array(), buffer.position());
  }

  String readText(int count) throws IOException {
    return new String(read(count), StandardCharsets.ISO_8859_1);
  }

  /// Up to and with the first empty line.
  String readHead() throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      var next = readText(1);
      if (next.isEmpty()) {
        return head.toString();
      }
      head.append(next);
    }
    return head.toString();
  }

  String readAll() throws IOException {
    var all = new ByteArrayOutputStream();
    var buffer = ByteBuffer.allocate(8192);
    try {
      while (channel.read(buffer) >= 0) {
        all.write(buffer.array(), 0, buffer.position());
        buffer.clear();
      }
    } catch (IOException _) {
      // Reset: what came before counts.
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  /// CONNECT, and the proxy's answer.
  String connect(String place) throws IOException {
    send("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(place, place));
    return readHead();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
