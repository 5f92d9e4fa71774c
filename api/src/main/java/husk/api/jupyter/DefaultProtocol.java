package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Json;
import husk.wire.Utf8;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The default sub-protocol: a message is one JSON object, as text; with buffers it is binary.
///
/// Binary: the number of pieces and where each begins, as 32 bits, big endian; then the pieces: the
/// JSON and the buffers.
final class DefaultProtocol implements SubProtocol {
  private static final List<String> KEYS =
      List.of("header", "parent_header", "metadata", "content");

  @Override
  public Outbound encode(ByteBuffer record) {
    var pieces = V1Layout.trusted(record);
    var buffers = pieces.subList(1 + KEYS.size(), pieces.size());
    var json = json(pieces, buffers.isEmpty());
    return buffers.isEmpty() ? new Outbound(true, json) : binary(json, buffers);
  }

  private static List<ByteBuffer> json(List<ByteBuffer> pieces, boolean text) {
    var parts = new ArrayList<ByteBuffer>();
    var separator = "{";
    for (int i = 0; i < KEYS.size(); i++) {
      parts.add(bytes(separator + '"' + KEYS.get(i) + "\":"));
      parts.add(Utf8.repaired(pieces.get(1 + i)));
      separator = ",";
    }
    var channel = UTF_8.decode(pieces.getFirst().duplicate()).toString();
    parts.add(
        bytes(
            identification(pieces.get(1))
                + (text ? ",\"buffers\":[]" : "")
                + ",\"channel\":\""
                + channel
                + "\"}"));
    return parts;
  }

  /// Clients find the id and the type beside the header, too.
  private static String identification(ByteBuffer header) {
    var copy = new byte[header.remaining()];
    header.duplicate().get(copy);
    JsonNode fields = Json.tree(copy);
    return ",\"msg_id\":"
        + Json.text(fields.path("msg_id").asString(""))
        + ",\"msg_type\":"
        + Json.text(fields.path("msg_type").asString(""));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static Outbound binary(List<ByteBuffer> json, List<ByteBuffer> buffers) {
    int pieces = 1 + buffers.size();
    var head = ByteBuffer.allocate(Integer.BYTES * (1 + pieces));
    head.putInt(pieces);
    long at = head.capacity();
    head.putInt((int) at);
    at += json.stream().mapToLong(ByteBuffer::remaining).sum();
    for (var buffer : buffers) {
      head.putInt((int) at);
      at += buffer.remaining();
    }
    var parts = new ArrayList<ByteBuffer>();
    parts.add(head.flip());
    parts.addAll(json);
    parts.addAll(buffers);
    return new Outbound(false, parts);
  }

  @Override
  public Inbound decode(boolean text, byte[] payload) throws Refused {
    if (text) {
      return message(payload, List.of());
    }
    var pieces = pieces(ByteBuffer.wrap(payload));
    return message(pieces.getFirst(), pieces.subList(1, pieces.size()));
  }

  private static List<byte[]> pieces(ByteBuffer bytes) throws Refused {
    int count = bytes.remaining() < Integer.BYTES ? 0 : bytes.getInt(0);
    if (count < 1 || count > bytes.remaining() / Integer.BYTES - 1) {
      throw broken();
    }
    if (count > 1 + Inbound.MOST_BUFFERS) {
      throw Inbound.tooManyBuffers();
    }
    var pieces = new ArrayList<byte[]>();
    for (int i = 1; i <= count; i++) {
      int begin = bytes.getInt(i * Integer.BYTES);
      int end = i < count ? bytes.getInt((i + 1) * Integer.BYTES) : bytes.limit();
      if (begin < Integer.BYTES * (1 + count) || end < begin || end > bytes.limit()) {
        throw broken();
      }
      var piece = new byte[end - begin];
      bytes.get(begin, piece);
      pieces.add(piece);
    }
    return pieces;
  }

  private static Refused broken() {
    return new Refused(
        CloseReason.NOT_CONSISTENT, "the offsets are not those of a Jupyter message with buffers");
  }

  private static Inbound message(byte[] json, List<byte[]> buffers) throws Refused {
    var pieces = JsonPieces.of(json);
    if (!pieces.has("header")) {
      throw new Refused(CloseReason.NOT_CONSISTENT, "a message without a header");
    }
    // Jupyter's servers, too, take a message without a channel for one on shell.
    var channel = Channels.ofClient(pieces.string("channel", "shell"));
    var parts = new ArrayList<byte[]>();
    for (var key : KEYS) {
      parts.add(pieces.object(key));
    }
    parts.addAll(buffers);
    return Inbound.of(channel, parts);
  }
}
