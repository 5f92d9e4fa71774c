package husk.sandboxes;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// The ready things of one kind, and how many there should be: more once a full shelf was emptied
/// faster than it could be filled, as many as usual after a while without. Not safe for threads; a
/// [Stock] keeps it.
final class Shelf<T> {
  /// The kind that nobody has asked for the longest comes first.
  static final Comparator<Shelf<?>> BY_USE = (one, other) -> Long.signum(one.used - other.used);

  private static final int GROWTH = 4;
  private static final Duration CALM = Duration.ofSeconds(10);

  private record Entry<T>(T thing, long made) {}

  private final PoolSettings settings;
  private final Deque<Entry<T>> ready = new ArrayDeque<>();
  private int target;
  private boolean wasFull;
  private long used = System.nanoTime();
  private boolean forgotten;

  Shelf(PoolSettings settings) {
    this.settings = settings;
    this.target = settings.size();
  }

  /// The one that was made first.
  Optional<T> take() {
    used = System.nanoTime();
    forgotten = false;
    if (ready.isEmpty() && wasFull) {
      wasFull = false;
      target = Math.min(2 * target, GROWTH * settings.size());
    }
    return Optional.ofNullable(ready.pollFirst()).map(Entry::thing);
  }

  void add(T thing) {
    ready.addLast(new Entry<>(thing, System.nanoTime()));
    wasFull = wasFull || ready.size() >= target;
  }

  int size() {
    return ready.size();
  }

  boolean lacking() {
    return !forgotten && ready.size() < target;
  }

  /// One that should not be there: too old, too many, or no longer asked for.
  Optional<T> surplus() {
    long now = System.nanoTime();
    if (now - used > CALM.toNanos()) {
      target = settings.size();
    }
    if (now - used > settings.age().toNanos()) {
      forgotten = true;
    }
    var oldest = ready.peekFirst();
    boolean old = oldest != null && now - oldest.made() > settings.age().toNanos();
    return old || forgotten || ready.size() > target
        ? Optional.ofNullable(ready.pollFirst()).map(Entry::thing)
        : Optional.empty();
  }

  void forget() {
    forgotten = true;
  }

  /// Whether it is of no use any more, and empty.
  boolean forgotten() {
    return forgotten && ready.isEmpty();
  }

  List<T> clear() {
    var left = new ArrayList<>(ready.stream().map(Entry::thing).toList());
    ready.clear();
    return left;
  }
}
