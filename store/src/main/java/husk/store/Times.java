package husk.store;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/// Instants as nanoseconds since 1970, so that they sort as numbers and come back exactly.
final class Times {
  private Times() {}

  static long toNanos(Instant instant) {
    long seconds = TimeUnit.SECONDS.toNanos(1);
    return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), seconds), instant.getNano());
  }

  static Instant fromNanos(long nanos) {
    long seconds = TimeUnit.SECONDS.toNanos(1);
    return Instant.ofEpochSecond(Math.floorDiv(nanos, seconds), Math.floorMod(nanos, seconds));
  }
}
