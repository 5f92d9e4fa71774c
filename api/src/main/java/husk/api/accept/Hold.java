package husk.api.accept;

import husk.model.Problem;
import java.time.Duration;

/// What a request has taken of the budget, until it is answered.
final class Hold {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InboundBudget budget;
  private long taken;
  private long body;

  Hold(InboundBudget budget) {
    this.budget = budget;
  }

  /// Takes more, as soon as others have given back enough.
  void take(long bytes) {
    if (!budget.take(bytes, taken, PATIENCE)) {
      throw new Problem(
          Problem.Code.OVERLOADED,
          "the server holds as much of other requests as it has memory for",
          "try again in a moment, or write the data to a file, which takes no memory");
    }
    taken += bytes;
  }

  /// Says how long the body is that all was taken for.
  void body(long bytes) {
    body = bytes;
  }

  /// Gives back all but a few bytes for each of the body.
  void keepBody(int each) {
    keep(each * body);
  }

  /// Gives back all but so much.
  void keep(long bytes) {
    if (taken > bytes) {
      budget.give(taken - bytes);
      taken = bytes;
    }
  }
}
