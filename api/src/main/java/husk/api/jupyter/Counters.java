package husk.api.jupyter;

import java.util.concurrent.atomic.LongAdder;

/// What passed through all WebSockets so far.
final class Counters {
  private final LongAdder overflows = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder sentMessages = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();

  /// A client was given up because more waited for it than may.
  void overflowed() {
    overflows.increment();
  }

  long overflows() {
    return overflows.sum();
  }

  void received() {
    received.increment();
  }

  void sent(long bytes) {
    sentMessages.increment();
    sentBytes.add(bytes);
  }

  long messagesReceived() {
    return received.sum();
  }

  long messagesSent() {
    return sentMessages.sum();
  }

  long bytesSent() {
    return sentBytes.sum();
  }
}
