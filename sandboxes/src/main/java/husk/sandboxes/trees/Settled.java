package husk.sandboxes.trees;

import java.util.concurrent.TimeUnit;

/// Whether a file's `ctime` can be trusted to tell its next change.
///
/// The kernel's clock for files moves in ticks of up to ten milliseconds. A file written in the
/// tick in which it is looked at may be written once more in the same tick, and then its times are
/// equal and its content is not. Such a file is not settled: its content decides.
record Settled(long since) {
  private static final long TWO_TICKS = TimeUnit.MILLISECONDS.toNanos(20);

  /// As of this moment: whatever is looked at from now on.
  static Settled now() {
    return new Settled(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - TWO_TICKS);
  }

  boolean covers(Attributes attributes) {
    return attributes.ctime() < since;
  }
}
