package husk.proxy;

import java.time.Duration;

/// When a connection has been quiet for too long. Channels know no timeouts: whoever is out of
/// patience closes them.
final class Patience {
  private volatile long span;
  private volatile long deadline;

  Patience(Duration span) {
    this.span = span.toNanos();
    renew();
  }

  /// From now on, and from each [#renew] on, this long.
  void be(Duration longer) {
    span = longer.toNanos();
    renew();
  }

  /// Something happened.
  void renew() {
    deadline = System.nanoTime() + span;
  }

  boolean isOver() {
    return System.nanoTime() - deadline > 0;
  }
}
