package husk.api.jupyter;

import husk.kernels.LastWords;
import husk.model.Problem;
import husk.wire.Channel;
import husk.wire.Json;
import husk.wire.RawMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.BiConsumer;

/// A client's requests that have not been answered, and the order in which the client hears of
/// their end.
///
/// A reply and a broadcast travel on different channels, and either may be first. Many clients stop
/// listening at the reply; it is therefore held back until the kernel has said that it is idle
/// again, which it does after all output.
final class Requests {
  static final String EXECUTE = "execute_request";

  /// How long a reply is held back, after the last broadcast, for the sake of one that is missing.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int MOST = 10_000;

  private final BiConsumer<Channel, RawMessage> deliver;
  private final LinkedHashMap<String, Pending> pending = new LinkedHashMap<>();
  private long lastBroadcastNanos = System.nanoTime();

  Requests(BiConsumer<Channel, RawMessage> deliver) {
    this.deliver = deliver;
  }

  static boolean executes(RawMessage message) {
    return message.type().equals(EXECUTE);
  }

  /// Whether a message is one that kernels answer.
  static boolean wantsReply(RawMessage message) {
    return message.type().endsWith("_request");
  }

  /// Notes a request that is about to be passed on.
  synchronized void asked(RawMessage request) {
    if (wantsReply(request)) {
      pending.put(request.id(), new Pending(request));
      if (pending.size() > MOST) {
        // Kernels answer what they know; what they do not know need not be remembered for ever.
        pending.pollFirstEntry();
      }
    }
  }

  /// Forgets a request that could not be passed on after all; false when it has been answered for
  /// the kernel already.
  synchronized boolean unasked(RawMessage request) {
    return pending.remove(request.id()) != null || !wantsReply(request);
  }

  /// Passes on what a kernel said, in an order that loses nothing.
  synchronized void heard(Channel channel, RawMessage message) {
    switch (channel) {
      case IOPUB -> {
        lastBroadcastNanos = System.nanoTime();
        deliver.accept(channel, message);
        if (LastWords.counts(message.type())) {
          countOutput(message.parentId());
        } else if (saysIdle(message)) {
          idle(message.parentId());
        }
      }
      case SHELL -> reply(message);
      default -> deliver.accept(channel, message);
    }
  }

  private void reply(RawMessage message) {
    var request = pending.get(message.parentId());
    if (request != null && request.execution() && !request.idle()) {
      request.hold(message);
    } else {
      pending.remove(message.parentId());
      deliver.accept(Channel.SHELL, message);
    }
  }

  private void countOutput(String requestId) {
    var request = pending.get(requestId);
    if (request != null) {
      request.countOutput();
    }
  }

  private void idle(String requestId) {
    var request = pending.get(requestId);
    if (request != null) {
      request.nowIdle();
      release(requestId, request);
    }
  }

  private void release(String requestId, Pending request) {
    request
        .heldReply()
        .ifPresent(
            reply -> {
              pending.remove(requestId);
              deliver.accept(Channel.SHELL, reply);
            });
  }

  private void releaseAll() {
    List.copyOf(pending.entrySet()).forEach(entry -> release(entry.getKey(), entry.getValue()));
  }

  /// Lets go of replies whose end of output seems never to come.
  synchronized void releaseOverdue() {
    long now = System.nanoTime();
    if (now - lastBroadcastNanos > PATIENCE.toNanos()) {
      for (var entry : List.copyOf(pending.entrySet())) {
        if (now - entry.getValue().heldNanos() > PATIENCE.toNanos()) {
          release(entry.getKey(), entry.getValue());
        }
      }
    }
  }

  /// Those that have not been answered, the first asked first.
  synchronized List<Pending> pending() {
    return List.copyOf(pending.values());
  }

  /// The kernel is gone: passes on what it had answered, and gives what nobody will answer now.
  synchronized List<Pending> abandon() {
    releaseAll();
    var abandoned = new ArrayList<>(pending.values());
    pending.clear();
    return abandoned;
  }

  private static boolean saysIdle(RawMessage message) {
    if (!message.type().equals("status")) {
      return false;
    }
    try {
      return Json.tree(message.content()).path("execution_state").asString("").equals("idle");
    } catch (Problem unreadable) {
      return false;
    }
  }
}
