package husk.sandboxes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Things made before anybody asks: each is given away once and never comes back.
///
/// Whoever never asked for a kind is not to pay for ready ones: a kind is kept from its first
/// asking on, for as long as one of its things may get old. One thread makes them, one at a time
/// and a moment after somebody took one, and none while many found nothing and make their own, so
/// that those who have something to do come first.
///
/// @param <K> what two things must have in common to be the same to whoever asks
/// @param <T> the things
public final class Stock<K, T> implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");
  private static final int KINDS = 6;
  private static final Duration COURTESY = Duration.ofMillis(60);
  private static final Duration TIDYING = Duration.ofSeconds(1);
  private static final int MANY = Runtime.getRuntime().availableProcessors();

  /// Who makes the things, and ends those that nobody took.
  public interface Maker<K, T> {
    T make(K kind);

    /// Whether somebody may still ask for such things.
    default boolean wanted(K kind) {
      return true;
    }

    /// Whether it still is what it was made as.
    boolean usable(T thing);

    void discard(T thing);
  }

  private final Maker<K, T> maker;
  private final PoolSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // The rest is guarded by the lock.
  private final Map<K, Shelf<T>> shelves = new HashMap<>();
  private @Nullable Thread worker;
  private long quietUntil = System.nanoTime();
  private int byHand;
  private boolean closed;

  public Stock(Maker<K, T> maker, PoolSettings settings) {
    this.maker = maker;
    this.settings = settings;
  }

  /// A thing of this kind, if one stands ready; more are made from now on.
  public Optional<T> take(K kind) {
    var useless = new ArrayList<T>();
    try {
      return takeUsable(kind, useless);
    } finally {
      useless.forEach(this::discard);
    }
  }

  private Optional<T> takeUsable(K kind, List<T> useless) {
    lock.lock();
    try {
      if (settings.size() == 0 || closed) {
        return Optional.empty();
      }
      var shelf = shelves.computeIfAbsent(kind, _ -> new Shelf<>(settings));
      forgetOldestKind();
      var taken = shelf.take();
      while (taken.isPresent() && !maker.usable(taken.get())) {
        useless.add(taken.get());
        taken = shelf.take();
      }
      refill();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private void forgetOldestKind() {
    if (shelves.size() > KINDS) {
      shelves.values().stream().min(Shelf.BY_USE).ifPresent(Shelf::forget);
    }
  }

  private void refill() {
    long now = System.nanoTime();
    if (quietUntil - now < 0) {
      quietUntil = now + COURTESY.toNanos();
    }
    if (worker == null) {
      worker = Thread.ofVirtual().name("husk-stock").start(this::work);
    }
    changed.signalAll();
  }

  /// Makes a thing for somebody who found none ready and waits for it.
  public <R> R byHand(Supplier<R> making) {
    count(1);
    try {
      return making.get();
    } finally {
      count(-1);
    }
  }

  private void count(int more) {
    lock.lock();
    try {
      byHand += more;
      if (byHand == MANY) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// How many things wait.
  public int size() {
    lock.lock();
    try {
      return shelves.values().stream().mapToInt(Shelf::size).sum();
    } finally {
      lock.unlock();
    }
  }

  /// What the worker is to do next.
  private sealed interface Job<K, T> {
    record Make<K, T>(K kind, Shelf<T> shelf) implements Job<K, T> {}

    record Discard<K, T>(T thing) implements Job<K, T> {}
  }

  private void work() {
    for (var job = next(); job != null; job = next()) {
      switch (job) {
        case Job.Make<K, T>(var kind, var shelf) -> make(kind, shelf);
        case Job.Discard<K, T>(var thing) -> discard(thing);
      }
    }
  }

  /// Waits for something to do; null when there will be nothing any more.
  private @Nullable Job<K, T> next() {
    lock.lock();
    try {
      while (!closed) {
        long quiet = quietUntil - System.nanoTime();
        var job = quiet > 0 || byHand > MANY ? null : job();
        if (job != null) {
          return job;
        }
        var _ = changed.awaitNanos(quiet > 0 ? quiet : TIDYING.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return null;
  }

  /// What it gives is to be done: what is to be discarded has left its shelf already.
  private @Nullable Job<K, T> job() {
    shelves.forEach(
        (kind, shelf) -> {
          if (!maker.wanted(kind)) {
            shelf.forget();
          }
        });
    for (var shelf : shelves.values()) {
      var surplus = shelf.surplus();
      if (surplus.isPresent()) {
        return new Job.Discard<>(surplus.get());
      }
    }
    shelves.values().removeIf(Shelf::forgotten);
    for (var entry : shelves.entrySet()) {
      if (entry.getValue().lacking()) {
        return new Job.Make<>(entry.getKey(), entry.getValue());
      }
    }
    return null;
  }

  private void make(K kind, Shelf<T> shelf) {
    try {
      var thing = maker.make(kind);
      lock.lock();
      try {
        shelf.add(thing);
      } finally {
        lock.unlock();
      }
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot keep anything ready of " + kind.getClass().getSimpleName(), e);
      lock.lock();
      try {
        shelf.forget();
      } finally {
        lock.unlock();
      }
    }
  }

  private void discard(T thing) {
    try {
      maker.discard(thing);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "cannot remove something that was kept ready", e);
    }
  }

  /// Ends everything that waits; nothing is made any more.
  @Override
  public void close() {
    awaitWorker(stop());
    var left = new ArrayList<T>();
    lock.lock();
    try {
      shelves.values().forEach(shelf -> left.addAll(shelf.clear()));
    } finally {
      lock.unlock();
    }
    left.forEach(this::discard);
  }

  private @Nullable Thread stop() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      return worker;
    } finally {
      lock.unlock();
    }
  }

  private static void awaitWorker(@Nullable Thread working) {
    try {
      if (working != null) {
        working.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
