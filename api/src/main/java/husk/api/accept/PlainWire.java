package husk.api.accept;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/// A connection without TLS. Helidon's own keeps 16 KiB for each; here those that are silent, most
/// of many, have a small part of it.
final class PlainWire implements HelidonSocket {
  private static final int SMALLEST = 512;
  private static final int LARGEST = 64 << 10;

  private final SocketChannel channel;
  private final String id;
  private int size = SMALLEST;

  PlainWire(SocketChannel channel, String id) {
    this.channel = channel;
    this.id = id;
  }

  /// The next bytes, as many as there are; null at the end.
  @Override
  public byte[] get() {
    try {
      var bytes = new byte[size];
      int read = channel.read(ByteBuffer.wrap(bytes));
      if (read < 0) {
        return end();
      }
      size = fitting(read);
      return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("NullAway") // what Helidon understands as the end
  private static byte[] end() {
    return null;
  }

  private int fitting(int read) {
    if (read == size) {
      return Math.min(LARGEST, 2 * size);
    }
    return read < size / 4 ? Math.max(SMALLEST, size / 2) : size;
  }

  @Override
  public void write(BufferData buffer) {
    try {
      while (!buffer.consumed()) {
        var piece = ByteBuffer.allocate(Math.min(LARGEST, buffer.available()));
        buffer.writeTo(piece, piece.remaining());
        piece.flip();
        while (piece.hasRemaining()) {
          channel.write(piece);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("removal")
  @Override
  public int read(BufferData buffer) {
    throw new UnsupportedOperationException("Helidon's server reads with get()");
  }

  @Override
  public void close() {
    try {
      // Without it, the last bytes sometimes do not arrive.
      channel.shutdownOutput();
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void idle() {}

  @Override
  public boolean isConnected() {
    return channel.isOpen();
  }

  @Override
  public PeerInfo remotePeer() {
    return Peer.remote(channel);
  }

  @Override
  public PeerInfo localPeer() {
    return Peer.local(channel);
  }

  @Override
  public boolean isSecure() {
    return false;
  }

  @Override
  public String socketId() {
    return id;
  }

  @Override
  public String childSocketId() {
    return id;
  }
}
