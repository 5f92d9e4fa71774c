package husk.core;

import husk.model.BestOf;
import husk.model.BestOf.Variant;
import husk.model.BestOfRequest;
import husk.model.BestOfRequest.Try;
import husk.model.ErrorInfo;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/// Tries several pieces of code from one state of a kernel, each in a fork of its own, all at once,
/// and puts the best in the kernel's place.
final class BestOfN {
  private static final Duration SCORING = Duration.ofSeconds(60);
  private final Forks forks;
  private final Promotion promotion;
  private final Executor executor;
  private final Lifecycle lifecycle;

  BestOfN(Forks forks, Promotion promotion, Executor executor, Lifecycle lifecycle) {
    this.forks = forks;
    this.promotion = promotion;
    this.executor = executor;
    this.lifecycle = lifecycle;
  }

  BestOf run(KernelRecord original, BestOfRequest request, Settings settings) {
    var tries = request.tries();
    var forked = forks.forTrial(original, tries.size(), request.proceed(), settings.maxKernels());
    try {
      var variants = runAll(forked.kernels(), tries, request, settings);
      var winner = best(variants);
      boolean promoted = request.promote() && winner.isPresent();
      if (promoted) {
        promotion.promote(original, forked.kernels().get(winner.get()));
      }
      return new BestOf(variants, winner, promoted, forked.hazards());
    } finally {
      forgetAll(forked.kernels());
    }
  }

  private void forgetAll(List<KernelRecord> tries) {
    try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
      tries.forEach(fork -> each.execute(() -> forget(fork)));
    }
  }

  private void forget(KernelRecord fork) {
    try {
      lifecycle.discard(fork);
    } catch (RuntimeException e) {
      System.getLogger("husk.core").log(System.Logger.Level.WARNING, "a try was left behind", e);
    }
  }

  private List<Variant> runAll(
      List<KernelRecord> kernels, List<Try> tries, BestOfRequest request, Settings settings) {
    long began = System.nanoTime();
    var deadline = request.deadline().orElse(settings.executionTimeout());
    try (var each = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          tries.stream()
              .map(
                  one ->
                      CompletableFuture.supplyAsync(
                          () ->
                              run(
                                  kernels.get(one.index()),
                                  one,
                                  request,
                                  settings,
                                  deadline,
                                  began),
                          each))
              .toList();
      return running.stream().map(Outcome::of).toList();
    }
  }

  private Variant run(
      KernelRecord kernel,
      Try one,
      BestOfRequest request,
      Settings settings,
      Duration deadline,
      long began) {
    one.seeding().ifPresent(code -> silently(kernel, code, settings));
    var result =
        executor.run(
            kernel,
            false,
            ExecuteRequest.of(one.code()).within(left(deadline, began)),
            settings,
            ExecutionEvent.Listener.NONE);
    if (!result.ok() || request.score().isEmpty()) {
      return new Variant(
          one.index(), one.code(), one.seed(), result, Optional.empty(), Optional.empty());
    }
    return scored(one, result, silently(kernel, request.score().get(), settings));
  }

  /// Of a common deadline; 0 would mean none.
  private static Duration left(Duration deadline, long began) {
    if (deadline.isZero()) {
      return deadline;
    }
    var left = deadline.minusNanos(System.nanoTime() - began);
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  private ExecutionResult silently(KernelRecord kernel, String code, Settings settings) {
    return executor.run(
        kernel,
        false,
        ExecuteRequest.of(code).silently().within(SCORING),
        settings,
        ExecutionEvent.Listener.NONE);
  }

  private static Variant scored(Try one, ExecutionResult result, ExecutionResult scoring) {
    var error = scoring.error().map(BestOfN::shown);
    var score = error.isPresent() ? Optional.<Double>empty() : Score.of(scoring);
    return new Variant(
        one.index(),
        one.code(),
        one.seed(),
        result,
        score,
        score.isPresent() ? Optional.empty() : error.or(() -> Optional.of(Score.instead(scoring))));
  }

  private static String shown(ErrorInfo error) {
    return error.ename() + ": " + error.evalue();
  }

  /// The highest score, or without scores the first that succeeded.
  private static Optional<Integer> best(List<Variant> variants) {
    boolean scored =
        variants.stream().anyMatch(one -> one.score().isPresent() || one.scoreError().isPresent());
    return variants.stream()
        .filter(one -> one.result().ok() && (!scored || one.score().isPresent()))
        .max(
            Comparator.<Variant>comparingDouble(one -> one.score().orElse(0.0))
                .thenComparing(Comparator.comparingInt(Variant::index).reversed()))
        .map(Variant::index);
  }
}
