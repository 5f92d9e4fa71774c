package husk.core;

import husk.model.Problem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// What became of work that another thread does.
final class Outcome {
  private Outcome() {}

  /// Waits for it; what it refused is refused here.
  static <T> T of(CompletableFuture<T> work) {
    try {
      return work.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Problem refused ? refused : e;
    }
  }
}
