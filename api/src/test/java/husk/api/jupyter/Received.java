package husk.api.jupyter;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// A message as a client got it.
record Received(
    String channel,
    JsonNode header,
    JsonNode parent,
    JsonNode metadata,
    JsonNode content,
    List<byte[]> buffers) {
  String type() {
    return header.path("msg_type").asString("");
  }

  String parentId() {
    return parent.path("msg_id").asString("");
  }

  String state() {
    return content.path("execution_state").asString("");
  }

  boolean status(String state) {
    return type().equals("status") && state().equals(state);
  }

  @Override
  public String toString() {
    var text = content.toString();
    return channel + " " + type() + " " + text.substring(0, Math.min(text.length(), 120));
  }
}
