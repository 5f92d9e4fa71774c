package husk.api.jupyter;

import husk.model.Problem;
import husk.wire.Json;
import tools.jackson.databind.node.ObjectNode;

/// Asks Husk's own kernel to write down what a request makes it say, so that it is not lost with
/// the kernel.
final class JournalMetadata {
  private JournalMetadata() {}

  /// The metadata with that wish in it; as they are when they say something of it already.
  static byte[] in(byte[] metadata) {
    try {
      if (Json.tree(metadata) instanceof ObjectNode fields && !fields.has("husk")) {
        fields.putObject("husk").put("journal", true);
        return Json.bytes(fields);
      }
    } catch (Problem unreadable) {
      // the kernel is to judge
    }
    return metadata;
  }
}
