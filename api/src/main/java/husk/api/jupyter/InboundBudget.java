package husk.api.jupyter;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of clients' messages this process holds on their way to kernels, all clients
/// together: a part of its memory that many large messages at once cannot exceed.
final class InboundBudget {
  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  InboundBudget(long limit) {
    this.limit = limit;
  }

  /// A part of the memory there is: each byte is held about twice on its way.
  static InboundBudget ofMemory() {
    return new InboundBudget(
        Math.max(WsSocket.LARGEST_MESSAGE, Runtime.getRuntime().maxMemory() / 5));
  }

  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= limit) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
