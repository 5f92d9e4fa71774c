package husk.wire.zmtp;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;

/// A peer that has already said all it will say, and does not listen.
final class MemoryChannel implements ByteChannel {
  private final ByteBuffer said;
  private boolean open = true;

  MemoryChannel(byte[] said) {
    this.said = ByteBuffer.wrap(said);
  }

  @Override
  public int read(ByteBuffer target) throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
    if (!said.hasRemaining()) {
      return -1;
    }
    int count = Math.min(target.remaining(), said.remaining());
    target.put(said.slice(said.position(), count));
    said.position(said.position() + count);
    return count;
  }

  @Override
  public int write(ByteBuffer source) {
    int count = source.remaining();
    source.position(source.limit());
    return count;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
