package husk.api.jupyter;

import husk.api.accept.InboundBudget;
import husk.wire.Header;
import husk.wire.Json;
import husk.wire.RawMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;

/// A client's requests on their way to the kernel's shell channel, which a busy kernel may not read
/// for a while; whatever goes to its control channel passes them by.
final class Outbox {
  private static final int MOST = 100_000;
  private static final Letter LAST =
      new Letter(
          RawMessage.of(Header.of("", ""), Optional.empty(), Json.MAPPER.createObjectNode()), 0);

  /// A request, and what it holds of the budget.
  record Letter(RawMessage request, long bytes) {}

  private final LinkedBlockingDeque<Letter> waiting = new LinkedBlockingDeque<>();
  private final InboundBudget budget;

  Outbox(InboundBudget budget) {
    this.budget = budget;
  }

  void put(Letter letter) throws Refused {
    if (waiting.size() >= MOST) {
      done(letter);
      throw new Refused(
          CloseReason.POLICY, MOST + " requests wait for the kernel already; wait for replies");
    }
    waiting.add(letter);
  }

  /// Waits for the next; empty when it was closed.
  Optional<Letter> take() throws InterruptedException {
    var letter = waiting.take();
    return letter.equals(LAST) ? Optional.empty() : Optional.of(letter);
  }

  /// Lets whoever takes know that there is nothing more to take.
  void close() {
    drain();
    waiting.addFirst(LAST);
  }

  /// Puts back what could not be passed on, to be the next.
  void putBack(Letter letter) {
    waiting.addFirst(letter);
  }

  /// Says that a letter that was taken is no longer held.
  void done(Letter letter) {
    budget.give(letter.bytes());
  }

  /// Takes all that wait.
  List<RawMessage> drain() {
    var all = new ArrayList<Letter>();
    waiting.drainTo(all);
    if (all.remove(LAST)) {
      waiting.addFirst(LAST);
    }
    all.forEach(this::done);
    return all.stream().map(Letter::request).toList();
  }
}
