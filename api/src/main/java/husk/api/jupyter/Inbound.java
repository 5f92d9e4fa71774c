package husk.api.jupyter;

import husk.wire.Channel;
import husk.wire.MalformedMessage;
import husk.wire.RawMessage;
import java.util.List;

/// A client's message for a kernel.
///
/// @param channel where it goes
record Inbound(Channel channel, RawMessage message) {
  /// A message for a kernel has at most so many buffers: more frames than that kernels do not take.
  static final int MOST_BUFFERS = 1_000;

  static Inbound of(Channel channel, List<byte[]> parts) throws Refused {
    RawMessage message;
    try {
      message = RawMessage.of(parts);
    } catch (MalformedMessage e) {
      throw new Refused(CloseReason.NOT_CONSISTENT, String.valueOf(e.getMessage()));
    }
    if (!message.identified()) {
      throw new Refused(
          CloseReason.NOT_CONSISTENT, "a message's header has a `msg_id` and a `msg_type`");
    }
    return new Inbound(channel, message);
  }

  static Refused tooManyBuffers() {
    return new Refused(CloseReason.POLICY, "a message has at most " + MOST_BUFFERS + " buffers");
  }
}
