package husk.api.jupyter;

import husk.api.accept.InboundBudget;
import husk.wire.Utf8;
import io.helidon.common.buffers.DataReader;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads a client's WebSocket frames and puts fragments together. Memory is taken as bytes arrive,
/// never because a frame announces them.
final class WsInput {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  private static final int LARGEST_CONTROL = 125;
  private static final int CHUNK = 1 << 20;

  private final DataReader reader;
  private final int largestMessage;
  private final InboundBudget budget;

  /// The message that is being put together: its bytes, and the code it began with.
  private byte[] message = new byte[0];

  private int arrived;
  private int code = -1;

  WsInput(DataReader reader, int largestMessage, InboundBudget budget) {
    this.reader = reader;
    this.largestMessage = largestMessage;
    this.budget = budget;
  }

  /// Waits for a whole message, a ping, a pong or a goodbye. The bytes of a message stay taken from
  /// the budget until whoever uses it gives them back.
  Incoming next() throws Refused {
    while (true) {
      var frame = WsFrameHead.read(reader);
      check(frame);
      if (frame.control()) {
        return control(frame);
      }
      if (frame.code() != CONTINUATION) {
        code = frame.code();
      }
      append(frame);
      if (frame.last()) {
        return whole();
      }
    }
  }

  private void check(WsFrameHead frame) throws Refused {
    if (!frame.masked()) {
      throw new Refused(CloseReason.PROTOCOL_ERROR, "a client masks its frames");
    }
    boolean known = frame.code() <= BINARY || (frame.control() && frame.code() <= PONG);
    boolean inPlace =
        frame.control()
            ? frame.last() && frame.length() >= 0 && frame.length() <= LARGEST_CONTROL
            : (frame.code() == CONTINUATION) == (code >= 0);
    if (!known || !inPlace) {
      throw new Refused(CloseReason.PROTOCOL_ERROR, "a frame out of place");
    }
    if (frame.length() < 0 || frame.length() > largestMessage - arrived) {
      throw new Refused(
          CloseReason.TOO_BIG, "a message has at most " + (largestMessage >> 20) + " MiB");
    }
  }

  private Incoming control(WsFrameHead frame) {
    var payload = frame.length() == 0 ? new byte[0] : reader.readBytes((int) frame.length());
    frame.unmask(payload, 0, payload.length, 0);
    return switch (frame.code()) {
      case CLOSE -> new Incoming.Goodbye();
      case PING -> new Incoming.Ping(payload);
      default -> new Incoming.Pong(payload);
    };
  }

  private void append(WsFrameHead frame) throws Refused {
    int total = arrived + (int) frame.length();
    int begin = arrived;
    while (arrived < total) {
      reader.ensureAvailable();
      int count = Math.min(Math.min(total - arrived, CHUNK), reader.available());
      if (!budget.take(count)) {
        throw new Refused(CloseReason.TRY_AGAIN, "too much arrives at once; try again later");
      }
      makeRoom(arrived + count, total);
      System.arraycopy(reader.readBytes(count), 0, message, arrived, count);
      frame.unmask(message, arrived, count, arrived - begin);
      arrived += count;
    }
  }

  private void makeRoom(int needed, int total) {
    if (needed > message.length) {
      message = Arrays.copyOf(message, Math.clamp(2L * message.length, needed, total));
    }
  }

  private Incoming whole() throws Refused {
    var payload = message.length == arrived ? message : Arrays.copyOf(message, arrived);
    boolean text = code == TEXT;
    if (text && !Utf8.valid(ByteBuffer.wrap(payload))) {
      throw new Refused(CloseReason.NOT_CONSISTENT, "text that is not UTF-8");
    }
    message = new byte[0];
    arrived = 0;
    code = -1;
    return new Incoming.Data(text, payload);
  }

  /// Reads past everything until the client hangs up.
  void discard() {
    try {
      while (true) {
        reader.ensureAvailable();
        reader.skip(reader.available());
      }
    } catch (RuntimeException gone) {
      // it has
    }
  }

  /// Gives back what a message that was never completed had taken.
  void close() {
    budget.give(arrived);
    arrived = 0;
  }
}
