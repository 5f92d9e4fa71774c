package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Utf8;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// `v1.kernel.websocket.jupyter.org`: messages pass as they are.
final class V1Protocol implements SubProtocol {
  static final String NAME = "v1.kernel.websocket.jupyter.org";

  /// The pieces that are JSON.
  private static final int JSON = 4;

  @Override
  public Outbound encode(ByteBuffer record) {
    var pieces = V1Layout.trusted(record);
    if (pieces.subList(1, 1 + JSON).stream().allMatch(Utf8::valid)) {
      return new Outbound(false, List.of(record));
    }
    return new Outbound(false, repaired(pieces));
  }

  private static List<ByteBuffer> repaired(List<ByteBuffer> pieces) {
    var whole = new ArrayList<ByteBuffer>();
    for (int i = 0; i < pieces.size(); i++) {
      whole.add(i <= JSON ? Utf8.repaired(pieces.get(i)) : pieces.get(i));
    }
    whole.addFirst(V1Layout.head(whole.stream().mapToInt(ByteBuffer::remaining).toArray()));
    return whole;
  }

  @Override
  public Inbound decode(boolean text, byte[] payload) throws Refused {
    if (text) {
      throw new Refused(CloseReason.NOT_SUPPORTED, NAME + " has no text frames");
    }
    var pieces = V1Layout.read(ByteBuffer.wrap(payload));
    var channel = Channels.ofClient(UTF_8.decode(pieces.getFirst()).toString());
    var parts = new ArrayList<byte[]>();
    for (var piece : pieces.subList(1, pieces.size())) {
      var part = new byte[piece.remaining()];
      piece.get(part);
      parts.add(part);
    }
    for (var json : parts.subList(0, JSON)) {
      JsonPieces.requireObject(json);
    }
    return Inbound.of(channel, parts);
  }
}
