package husk.api.jupyter;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import husk.wire.Channel;
import husk.wire.RawMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The layout of `v1.kernel.websocket.jupyter.org`, in which messages also wait in the spool.
///
/// First the number of offsets, then the offsets, all as 64 bits, little endian; then the channel,
/// header, parent header, metadata, content and buffers. Each offset says where one of them begins,
/// the last one where all end.
final class V1Layout {
  /// Channel, header, parent header, metadata, content.
  private static final int FIXED = 5;

  private V1Layout() {}

  static List<byte[]> of(Channel channel, RawMessage message) {
    var pieces = new ArrayList<byte[]>();
    pieces.add(Channels.bytes(channel));
    pieces.addAll(message.parts());
    pieces.addFirst(head(pieces.stream().mapToInt(piece -> piece.length).toArray()).array());
    return pieces;
  }

  /// What stands before pieces of these lengths.
  static ByteBuffer head(int... lengths) {
    int offsets = lengths.length + 1;
    var head = ByteBuffer.allocate(Long.BYTES * (1 + offsets)).order(LITTLE_ENDIAN);
    long at = head.capacity();
    head.putLong(offsets).putLong(at);
    for (int length : lengths) {
      at += length;
      head.putLong(at);
    }
    return head.flip();
  }

  /// Channel, header, parent header, metadata, content and buffers of what a client sent.
  static List<ByteBuffer> read(ByteBuffer whole) throws Refused {
    var bytes = whole.duplicate().order(LITTLE_ENDIAN);
    long offsets = bytes.remaining() < Long.BYTES ? 0 : bytes.getLong(0);
    if (offsets < FIXED + 1 || offsets > bytes.remaining() / Long.BYTES - 1) {
      throw broken();
    }
    if (offsets > FIXED + 1 + Inbound.MOST_BUFFERS) {
      throw Inbound.tooManyBuffers();
    }
    var pieces = new ArrayList<ByteBuffer>();
    long begin = bytes.getLong(Long.BYTES);
    long earliest = Long.BYTES * (1 + offsets);
    for (int i = 2; i <= offsets; i++) {
      long end = bytes.getLong(i * Long.BYTES);
      if (begin < earliest || end < begin || end > bytes.limit()) {
        throw broken();
      }
      pieces.add(bytes.slice((int) begin, (int) (end - begin)));
      begin = end;
    }
    return pieces;
  }

  private static Refused broken() {
    return new Refused(
        CloseReason.NOT_CONSISTENT, "the offsets are not those of v1.kernel.websocket.jupyter.org");
  }

  /// The same for what was made here.
  static List<ByteBuffer> trusted(ByteBuffer whole) {
    try {
      return read(whole);
    } catch (Refused e) {
      throw new IllegalStateException(e);
    }
  }
}
