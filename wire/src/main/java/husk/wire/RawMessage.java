package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Jupyter message on its way from one side to the other: its pieces of JSON stay the bytes they
/// are, and only its headers are looked into.
///
/// Not a record, because it carries arrays, which nobody changes.
public final class RawMessage {
  private static final byte[] NOTHING = "{}".getBytes(UTF_8);

  private final List<byte[]> parts;
  private final boolean oversized;
  private final ObjectNode header;
  private final ObjectNode parent;

  private RawMessage(List<byte[]> parts, boolean oversized) throws MalformedMessage {
    this.parts = List.copyOf(parts);
    this.oversized = oversized;
    this.header = Pieces.header(parts.get(0), "header");
    this.parent = Pieces.header(parts.get(1), "parent header");
  }

  /// A message as it came.
  ///
  /// @param parts header, parent header, metadata and content as JSON, then the buffers
  public static RawMessage of(List<byte[]> parts) throws MalformedMessage {
    return new RawMessage(parts, false);
  }

  /// A message of which only the headers are left, because the rest was too large to keep.
  static RawMessage withoutContent(byte[] header, byte[] parent) throws MalformedMessage {
    return new RawMessage(List.of(header, parent, NOTHING, NOTHING), true);
  }

  /// A new message.
  ///
  /// @param parent the header of the message it answers, as that one's sender wrote it
  public static RawMessage of(Header header, Optional<byte[]> parent, JsonNode content) {
    try {
      return of(List.of(Json.bytes(header), parent.orElse(NOTHING), NOTHING, Json.bytes(content)));
    } catch (MalformedMessage e) {
      throw new IllegalArgumentException(e);
    }
  }

  /// Header, parent header, metadata, content and buffers.
  public List<byte[]> parts() {
    return parts;
  }

  public byte[] header() {
    return parts.getFirst();
  }

  public byte[] metadata() {
    return parts.get(2);
  }

  public byte[] content() {
    return parts.get(3);
  }

  /// Whether its content or a buffer was too large to keep, and only its headers are left.
  public boolean oversized() {
    return oversized;
  }

  /// Whether its header says what it is, so that it can be answered.
  public boolean identified() {
    return header.path("msg_id").isString() && header.path("msg_type").isString();
  }

  public String id() {
    return header.path("msg_id").asString("");
  }

  public String type() {
    return header.path("msg_type").asString("");
  }

  public String session() {
    return header.path("session").asString("");
  }

  /// The id of the message it answers, or an empty string.
  public String parentId() {
    return parent.path("msg_id").asString("");
  }

  /// The session of the message it answers, or an empty string.
  public String parentSession() {
    return parent.path("session").asString("");
  }

  /// The header of the message it answers.
  public byte[] parentHeader() {
    return parts.get(1);
  }

  /// The same message with other metadata.
  public RawMessage withMetadata(byte[] metadata) {
    var changed = new ArrayList<>(parts);
    changed.set(2, metadata);
    try {
      return of(changed);
    } catch (MalformedMessage e) {
      throw new IllegalStateException(e);
    }
  }

  public long size() {
    return parts.stream().mapToLong(part -> part.length).sum();
  }
}
