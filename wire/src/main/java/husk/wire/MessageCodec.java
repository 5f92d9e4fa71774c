package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Turns messages into frames and back.
///
/// On the wire a message is: any number of identities or a topic, the delimiter, the signature,
/// then header, parent header, metadata and content as JSON, then the buffers. The signature covers
/// the four pieces of JSON.
public final class MessageCodec {
  /// Stands alone in the content of a message whose own was too large to keep.
  public static final String OVERSIZED = "husk_oversized";

  private static final byte[] DELIMITER = "<IDS|MSG>".getBytes(UTF_8);
  private static final byte[] NOTHING = "{}".getBytes(UTF_8);
  private static final int AFTER_DELIMITER = 5;

  private final Signer signer;

  public MessageCodec(Signer signer) {
    this.signer = signer;
  }

  /// The frames of a message, beginning with the delimiter.
  public List<byte[]> encode(Message message) {
    var header = Json.bytes(message.header());
    var parent = message.parent().map(Json::bytes).orElse(NOTHING);
    var metadata = Json.bytes(message.metadata());
    var content = Json.bytes(message.content());
    var frames = new ArrayList<byte[]>(AFTER_DELIMITER + 1 + message.buffers().size());
    frames.add(DELIMITER);
    frames.add(signer.sign(header, parent, metadata, content).getBytes(UTF_8));
    frames.addAll(List.of(header, parent, metadata, content));
    message.buffers().forEach(buffer -> frames.add(buffer.shared()));
    return frames;
  }

  /// Reads a message, whatever stands before its delimiter.
  ///
  /// @throws MalformedMessage for anything that is not a well-formed message signed with the key;
  ///   nothing else is ever thrown
  public Message decode(List<byte[]> frames) throws MalformedMessage {
    int start = delimiter(frames) + 1;
    if (frames.size() - start < AFTER_DELIMITER) {
      throw new MalformedMessage(
          "a message has " + (frames.size() - start) + " frames after its delimiter, fewer than 5");
    }
    var header = frames.get(start + 1);
    var parent = frames.get(start + 2);
    var metadata = frames.get(start + 3);
    var content = frames.get(start + 4);
    if (DroppedFrame.is(content)) {
      return withoutContent(header, parent);
    }
    if (!signer.verify(frames.get(start), header, parent, metadata, content)) {
      throw new MalformedMessage("a message's signature does not match the connection's key");
    }
    var parentFields = Pieces.header(parent, "parent header");
    return new Message(
        header(Pieces.header(header, "header")),
        parentFields.isEmpty() ? Optional.empty() : Optional.of(header(parentFields)),
        Pieces.object(metadata, "metadata"),
        Pieces.content(content),
        frames.stream().skip(start + AFTER_DELIMITER).map(Bytes::of).toList());
  }

  /// A message whose content was too large to keep, and whose signature can thus not be checked. It
  /// says of which type it was and whom it answers, and nothing that could be believed by mistake.
  private static Message withoutContent(byte[] header, byte[] parent) throws MalformedMessage {
    return new Message(
        header(Pieces.header(header, "header")),
        Optional.of(header(Pieces.header(parent, "parent header"))),
        Json.MAPPER.createObjectNode(),
        Pieces.oversized(),
        List.of());
  }

  private static int delimiter(List<byte[]> frames) throws MalformedMessage {
    for (int i = 0; i < frames.size(); i++) {
      if (Arrays.equals(frames.get(i), DELIMITER)) {
        return i;
      }
    }
    throw new MalformedMessage("a message has no delimiter among its " + frames.size() + " frames");
  }

  private static Header header(ObjectNode fields) throws MalformedMessage {
    return new Header(
        field(fields, "msg_id"),
        field(fields, "msg_type"),
        field(fields, "session"),
        field(fields, "username"),
        field(fields, "date"),
        field(fields, "version"));
  }

  private static String field(ObjectNode fields, String name) throws MalformedMessage {
    var value = fields.path(name);
    if (value.isContainer()) {
      throw new MalformedMessage("a message's `" + name + "` is not a string");
    }
    return value.isMissingNode() || value.isNull() ? "" : value.asString();
  }
}
