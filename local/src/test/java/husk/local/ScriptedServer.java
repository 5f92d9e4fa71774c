package husk.local;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Accepts connections on a Unix socket; answers each request on one with the next of its texts,
/// and closes it after the last.
final class ScriptedServer implements AutoCloseable {
  final List<String> requests = new CopyOnWriteArrayList<>();

  private final ServerSocketChannel server;
  private final List<String> answers;

  ScriptedServer(Path socket, String... answers) throws IOException {
    this.answers = List.of(answers);
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    while (true) {
      try (var connection = server.accept()) {
        for (String answer : answers) {
          requests.add(request(connection));
          var bytes = ByteBuffer.wrap(answer.getBytes(StandardCharsets.ISO_8859_1));
          while (bytes.hasRemaining()) {
            connection.write(bytes);
          }
        }
      } catch (ClosedChannelException _) {
        return;
      } catch (IOException _) {
        // The client went away; the next one may be better.
      }
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
  }
}
