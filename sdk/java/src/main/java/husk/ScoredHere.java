package husk;

import husk.model.BestOf;
import husk.model.BestOf.Variant;
import husk.model.BestOfRequest;
import husk.model.BestOfRequest.Try;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.ForkRequest;
import husk.model.KernelRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// The best of several tries, scored by the caller's own code: the forks are made, run, asked,
/// promoted and destroyed from here.
final class ScoredHere {
  private final Husk husk;
  private final BestOfRequest request;
  private final Score score;
  private final long began = System.nanoTime();

  ScoredHere(Husk husk, BestOfRequest request, Score score) {
    this.husk = husk;
    this.request = request;
    this.score = score;
  }

  BestOf run(String nameOrId) {
    var tries = request.tries();
    var wanted = ForkRequest.unnamed(tries.size()).proceeding(request.proceed());
    var forked = husk.fork(nameOrId, wanted);
    try {
      var variants = scored(forked.kernels(), results(forked.kernels(), tries), tries);
      var winner = best(variants);
      boolean promoted = request.promote() && winner.isPresent();
      if (promoted) {
        husk.promote(nameOrId, forked.kernels().get(winner.get()).kernelId());
      }
      return new BestOf(variants, winner, promoted, forked.hazards());
    } finally {
      forked.kernels().forEach(husk::destroy);
    }
  }

  private List<ExecutionResult> results(List<KernelRecord> forks, List<Try> tries) {
    var running = tries.stream().map(one -> begin(forks.get(one.index()), one)).toList();
    return running.stream().map(CompletableFuture::join).toList();
  }

  private CompletableFuture<ExecutionResult> begin(KernelRecord fork, Try one) {
    one.seeding().ifPresent(code -> husk.execute(fork, code));
    var execution = ExecuteRequest.of(one.code());
    return husk.executeAsync(
        fork, request.deadline().map(this::left).map(execution::within).orElse(execution));
  }

  /// Of the common deadline; 0 would mean none.
  private Duration left(Duration deadline) {
    if (deadline.isZero()) {
      return deadline;
    }
    var left = deadline.minusNanos(System.nanoTime() - began);
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  /// One after the other: the caller's code need not stand several threads.
  private List<Variant> scored(
      List<KernelRecord> forks, List<ExecutionResult> results, List<Try> tries) {
    return tries.stream()
        .map(one -> scored(forks.get(one.index()), results.get(one.index()), one))
        .toList();
  }

  private Variant scored(KernelRecord fork, ExecutionResult result, Try one) {
    var given = result.ok() ? Optional.of(score.of(fork, result)) : Optional.<Double>empty();
    var number = given.filter(value -> !value.isNaN());
    var error = given.isPresent() && number.isEmpty() ? "the score is not a number" : "";
    return new Variant(
        one.index(),
        one.code(),
        one.seed(),
        result,
        number,
        Optional.of(error).filter(text -> !text.isEmpty()));
  }

  /// The highest score; of equals the first.
  private static Optional<Integer> best(List<Variant> variants) {
    return variants.stream()
        .filter(one -> one.score().isPresent())
        .max(
            Comparator.<Variant>comparingDouble(one -> one.score().orElseThrow())
                .thenComparing(Comparator.comparingInt(Variant::index).reversed()))
        .map(Variant::index);
  }
}
