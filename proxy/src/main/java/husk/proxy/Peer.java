package husk.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// One end of a conversation: the client in the sandbox, or a server. One thread may read from it
/// while another writes to it.
final class Peer implements Closeable {
  private static final int BUFFER = 16 * 1024;
  private static final int LONGEST_FAREWELL = 1 << 20;

  private final SocketChannel channel;
  private final Patience patience;
  private final ByteBuffer arrived = ByteBuffer.allocate(BUFFER).flip();

  Peer(SocketChannel channel, Patience patience) {
    this.channel = channel;
    this.patience = patience;
  }

  /// Waits until there is something in [#arrived]; false if nothing will come any more.
  boolean fill() throws IOException {
    if (arrived.hasRemaining()) {
      return true;
    }
    arrived.clear();
    try {
      channel.read(arrived);
    } finally {
      arrived.flip();
    }
    patience.renew();
    return arrived.hasRemaining();
  }

  /// What has come and not been read. Whoever takes bytes moves its position.
  ByteBuffer arrived() {
    return arrived;
  }

  /// The next byte without taking it, or -1.
  int peek() throws IOException {
    return fill() ? arrived.get(arrived.position()) & 0xff : -1;
  }

  /// The next byte, or -1.
  int read() throws IOException {
    return fill() ? arrived.get() & 0xff : -1;
  }

  /// Reads what is still coming, up to a limit: a connection closed on unread bytes is reset, and
  /// whoever sent them may miss the answer that is already there.
  void drain() throws IOException {
    for (int read = 0; read < LONGEST_FAREWELL && fill(); arrived.position(arrived.limit())) {
      read += arrived.remaining();
    }
  }

  /// Writes all of it, however long the other side takes to read.
  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
      patience.renew();
    }
  }

  void write(byte... bytes) throws IOException {
    write(ByteBuffer.wrap(bytes));
  }

  void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /// Says that nothing more will be written.
  void finish() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // Closed it is; what was not sent is lost either way.
    }
  }
}
