package husk.core;

import husk.kernels.KernelClient;
import husk.wire.Json;
import husk.wire.Message;

/// What a kernel is sent to have it run code.
final class CellMessage {
  private CellMessage() {}

  /// Husk's own kernel remembers what it said, and by the id that it was asked before: who cannot
  /// know whether a message arrived sends it again, and it is run once.
  static Message remembered(KernelClient client, String executionId, String code) {
    return message(client, code, true).withId(executionId);
  }

  /// Leaves no trace in the kernel's history.
  static Message silent(KernelClient client, String code) {
    return message(client, code, false);
  }

  private static Message message(KernelClient client, String code, boolean remembered) {
    var content = Json.MAPPER.createObjectNode();
    content.put("code", code);
    content.put("silent", false);
    content.put("store_history", remembered);
    content.set("user_expressions", Json.MAPPER.createObjectNode());
    content.put("allow_stdin", false);
    content.put("stop_on_error", false);
    var metadata = Json.MAPPER.createObjectNode();
    metadata.putObject("husk").put("journal", remembered).put("once", remembered);
    return client.request("execute_request", content).withMetadata(metadata);
  }
}
