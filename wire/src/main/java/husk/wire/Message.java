package husk.wire;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// One Jupyter message.
///
/// @param header what it is and who sent it
/// @param parent the header of the message that brought it about
/// @param metadata about the message
/// @param content its body, by its type
/// @param buffers raw bytes that go with the content
public record Message(
    Header header,
    Optional<Header> parent,
    ObjectNode metadata,
    ObjectNode content,
    List<Bytes> buffers) {

  public Message {
    buffers = List.copyOf(buffers);
  }

  /// A new message that answers nothing.
  public static Message request(String msgType, String session, ObjectNode content) {
    return new Message(
        Header.of(msgType, session),
        Optional.empty(),
        Json.MAPPER.createObjectNode(),
        content,
        List.of());
  }

  public String type() {
    return header.msgType();
  }

  /// The id of the message it answers.
  public Optional<String> parentId() {
    return parent.map(Header::msgId);
  }

  /// The same under an id that was chosen, so that it can be sent once more and is known again.
  public Message withId(String id) {
    return new Message(header.withId(id), parent, metadata, content, buffers);
  }

  public Message withMetadata(ObjectNode changed) {
    return new Message(header, parent, changed, content, buffers);
  }
}
