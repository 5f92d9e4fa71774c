package husk.api.jupyter;

import husk.model.Ids;
import husk.wire.Channel;
import husk.wire.Header;
import husk.wire.Json;
import husk.wire.RawMessage;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Messages that clients get when a kernel can no longer send them itself.
final class Synthetic {
  private static final String SESSION = "husk-" + Ids.fresh();

  private Synthetic() {}

  /// What the kernel is doing, as it would say itself.
  static RawMessage status(String state, Optional<byte[]> parent) {
    return message("status", parent, Json.MAPPER.createObjectNode().put("execution_state", state));
  }

  /// An output, as the kernel would have sent it.
  static RawMessage output(String type, byte[] parent, JsonNode content) {
    return message(type, Optional.of(parent), content);
  }

  private static RawMessage message(String type, Optional<byte[]> parent, JsonNode content) {
    return RawMessage.of(Header.of(type, SESSION), parent, content);
  }

  /// Answers a request that nobody will answer any more. The reply comes last: many clients stop
  /// listening there.
  static void fail(Pending request, Failure failure, BiConsumer<Channel, RawMessage> deliver) {
    var parent = Optional.of(request.header());
    if (request.execution()) {
      deliver.accept(Channel.IOPUB, message("error", parent, failure.content()));
    }
    if (!request.idle()) {
      deliver.accept(Channel.IOPUB, status("idle", parent));
    }
    deliver.accept(Channel.SHELL, message(request.replyType(), parent, reply(failure)));
  }

  private static ObjectNode reply(Failure failure) {
    var content = failure.content().put("status", "error").put("execution_count", 0);
    content.putObject("user_expressions");
    content.putArray("payload");
    return content;
  }

  /// What stands in for a message that was too large to be kept.
  static RawMessage instead(RawMessage oversized) {
    var parent = Optional.of(oversized.parentHeader());
    var text = "a message of type " + oversized.type() + " was too large to be passed on";
    if (oversized.type().endsWith("_reply")) {
      return message(oversized.type(), parent, reply(new Failure("OversizedError", text)));
    }
    var notice = Json.MAPPER.createObjectNode().put("name", "stderr");
    return message("stream", parent, notice.put("text", "husk: " + text + "\n"));
  }
}
