package husk.kernels;

import husk.wire.Channel;
import husk.wire.ConnectionInfo;
import husk.wire.MalformedMessage;
import husk.wire.Message;
import husk.wire.MessageCodec;
import husk.wire.zmtp.Limits;
import husk.wire.zmtp.SocketType;
import husk.wire.zmtp.ZmtpSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/// One channel to a kernel, which may be hostile: whatever it says takes no more memory than
/// outputs may, and cannot end the thread that listens to it.
final class ClientSocket implements AutoCloseable {
  private static final Duration HANDSHAKE = Duration.ofSeconds(5);
  private static final byte[] NO_IDENTITY = {};

  /// Larger outputs than a result keeps need not be held in memory either.
  private static final int LARGEST = 2 * (int) OutputLimits.DEFAULT_DATA;

  private static final Limits LIMITS = Limits.DEFAULT.keeping(LARGEST);

  private final LineMemory memory = new LineMemory(LARGEST);
  private final MessageCodec codec;
  private final ZmtpSocket socket;

  ClientSocket(ConnectionInfo info, Channel channel, SocketType type, MessageCodec codec)
      throws IOException {
    this.codec = codec;
    this.socket =
        ZmtpSocket.connect(info.endpoint(channel), type, NO_IDENTITY, HANDSHAKE, LIMITS, memory);
  }

  void subscribeToAll() throws IOException {
    socket.subscribe("");
  }

  void send(Message message) throws IOException {
    socket.send(codec.encode(message));
  }

  /// Waits for one message. What cannot be read or understood is the sender's fault, and no reason
  /// to stop listening.
  void hear(Consumer<Message> handler) throws IOException {
    try {
      handler.accept(codec.decode(socket.receive()));
    } catch (MalformedMessage | RuntimeException e) {
      // as if it had not been sent
    } finally {
      memory.release();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed either way
    }
  }
}
