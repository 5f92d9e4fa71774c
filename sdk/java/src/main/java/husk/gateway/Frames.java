package husk.gateway;

import husk.wire.Header;
import husk.wire.Json;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Messages in the default form of Jupyter's WebSocket: JSON as text; with buffers, binary.
final class Frames {
  private Frames() {}

  static String execute(String id, String session, String code) {
    var content = new LinkedHashMap<String, Object>();
    content.put("code", code);
    content.put("silent", false);
    content.put("store_history", false);
    content.put("user_expressions", Map.of());
    content.put("allow_stdin", false);
    // Cells that others wait for are not this one's business.
    content.put("stop_on_error", false);
    return message("execute_request", id, session, content);
  }

  static String kernelInfo(String id, String session) {
    return message("kernel_info_request", id, session, Map.of());
  }

  private static String message(String type, String id, String session, Map<String, ?> content) {
    var made = Header.of(type, session);
    var header = new Header(id, type, session, made.username(), made.date(), made.version());
    var message = new LinkedHashMap<String, Object>();
    message.put("channel", "shell");
    message.put("header", header);
    message.put("parent_header", Map.of());
    message.put("metadata", Map.of());
    message.put("content", content);
    message.put("buffers", List.of());
    return Json.text(message);
  }

  static JsonNode read(byte[] text) {
    return Json.tree(text);
  }

  /// The JSON in front of a message's buffers: a count, the offsets of the parts, the parts.
  static JsonNode readBinary(ByteBuffer frame) {
    int parts = frame.getInt(0);
    int start = frame.getInt(4);
    int end = parts > 1 ? frame.getInt(8) : frame.limit();
    var json = new byte[end - start];
    frame.get(start, json);
    return Json.tree(json);
  }
}
