package husk.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// Stands in for a sandbox's agent while the command is trained: every command says a word to each
/// stream and ends well.
final class TrainingAgent implements Runnable {
  private final ServerSocketChannel server;

  TrainingAgent(ServerSocketChannel server) {
    this.server = server;
  }

  @Override
  public void run() {
    while (server.isOpen()) {
      try (var connection = server.accept()) {
        connection.read(ByteBuffer.allocate(64 * 1024));
        send(connection, 'A', "id=1\0");
        send(connection, 'O', "out\n");
        send(connection, 'E', "err\n");
        send(connection, 'X', "code=0\0reason=exited\0wall_ms=1\0");
      } catch (IOException _) {
        // The training is over.
      }
    }
  }

  private static void send(SocketChannel connection, char kind, String text) throws IOException {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    var frame = ByteBuffer.allocate(5 + payload.length);
    frame.put((byte) kind).putInt(payload.length).put(payload).flip();
    while (frame.hasRemaining()) {
      connection.write(frame);
    }
  }
}
