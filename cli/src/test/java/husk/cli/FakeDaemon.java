package husk.cli;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// Answers each request, given as its text, with the bytes a function makes of it, and closes.
final class FakeDaemon implements AutoCloseable {
  final List<String> requests = new CopyOnWriteArrayList<>();

  private final ServerSocketChannel server;
  private final Path socket;
  private final Function<String, byte[]> answer;

  FakeDaemon(Path socket, Function<String, byte[]> answer) throws IOException {
    this.socket = socket;
    this.answer = answer;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::serve);
  }

  static byte[] json(String headers, String body) {
    return answer("200 OK", headers, body);
  }

  static byte[] answer(String status, String headers, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return ("HTTP/1.1 "
            + status
            + "\r\n"
            + headers
            + "Content-Length: "
            + bytes.length
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void serve() {
    while (true) {
      try {
        var connection = server.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (ClosedChannelException _) {
        return;
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void serve(SocketChannel accepted) {
    try (var connection = accepted) {
      String request = request(connection);
      requests.add(request);
      var bytes = ByteBuffer.wrap(answer.apply(request));
      while (bytes.hasRemaining()) {
        connection.write(bytes);
      }
    } catch (IOException _) {
      // The client only looked whether somebody is here.
    }
  }

  private static String request(SocketChannel connection) throws IOException {
    var buffer = ByteBuffer.allocate(1 << 20);
    while (true) {
      if (connection.read(buffer) < 0) {
        throw new IOException("no request");
      }
      var text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
      int end = text.indexOf("\r\n\r\n");
      if (end > 0) {
        var length = text.replaceAll("(?s).*Content-Length: (\\d+).*", "$1");
        if (buffer.position() >= end + 4 + Integer.parseInt(length)) {
          return text;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}
