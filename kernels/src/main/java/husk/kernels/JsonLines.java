package husk.kernels;

import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One JSON value per line, both ways, over a Unix socket.
final class JsonLines implements AutoCloseable {
  private final SocketChannel channel;
  private final BufferedReader reader;
  private final ReentrantLock writing = new ReentrantLock();

  private JsonLines(SocketChannel channel) {
    this.channel = channel;
    this.reader =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
  }

  static JsonLines connect(Path socket) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return new JsonLines(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  void send(Map<String, ?> message) throws IOException {
    var bytes = ByteBuffer.wrap((Json.text(message) + "\n").getBytes(StandardCharsets.UTF_8));
    writing.lock();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } finally {
      writing.unlock();
    }
  }

  /// The next message; null at the end.
  @Nullable JsonNode receive() throws IOException {
    var line = reader.readLine();
    return line == null ? null : Json.tree(line.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // it is closed either way
    }
  }
}
