package husk.api.jupyter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Notices a kernel that dies again and again as soon as it is started. For one thread.
final class CrashLoop {
  private static final int DEATHS = 5;
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private final Deque<Long> deaths = new ArrayDeque<>();
  private boolean away;

  /// Notes a death; true when there have been too many of late.
  boolean oneMore() {
    long now = System.nanoTime();
    deaths.addLast(now);
    if (deaths.size() < DEATHS) {
      return false;
    }
    return now - deaths.removeFirst() < WITHIN.toNanos();
  }

  /// Notes that the client was told that the kernel is away.
  void away() {
    away = true;
  }

  /// Whether the kernel had been away, and is now back.
  boolean recovered() {
    boolean was = away;
    away = false;
    return was;
  }
}
