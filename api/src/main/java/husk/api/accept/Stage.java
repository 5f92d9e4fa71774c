package husk.api.accept;

import java.time.Duration;
import java.util.OptionalLong;

/// Where a connection stands, since when, and whom others wait for.
final class Stage {
  /// What a connection does.
  enum Phase {
    SHAKING,
    IDLE,
    HEAD,
    BODY,
    WORKING,
    TALKING
  }

  private static final Duration STALLED = Duration.ofSeconds(60);
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private volatile Phase phase = Phase.SHAKING;
  private volatile long since = System.nanoTime();
  private volatile long bodySince = since;
  private volatile long writingSince;
  private volatile Pace pace = Pace.WHOLE;
  private volatile boolean late;
  private volatile long lateSince;

  void to(Phase next) {
    since = System.nanoTime();
    phase = next;
  }

  /// A head has been read; what comes until the next is its body.
  void working() {
    bodySince = System.nanoTime();
    pace = Pace.WHOLE;
    to(Phase.WORKING);
  }

  void pace(Pace next) {
    bodySince = System.nanoTime();
    pace = next;
  }

  void writing(boolean now) {
    writingSince = now ? System.nanoTime() | 1 : 0;
  }

  Phase phase() {
    return phase;
  }

  /// Whether it took too long.
  boolean late() {
    return late;
  }

  void tellLate() {
    lateSince = System.nanoTime();
    late = true;
  }

  /// Whether it has been told so, and is still there.
  boolean overdue(long now) {
    return late && now - lateSince > LAST_WORDS.toNanos();
  }

  /// Whether whoever is at the other end takes longer than it may.
  boolean tooLong(Patience patience, long now) {
    return switch (phase) {
      case SHAKING, HEAD -> now - since > patience.head().toNanos();
      case IDLE -> now - since > patience.idle().toNanos();
      case BODY -> bodyTooLong(patience, now);
      case WORKING, TALKING -> false;
    };
  }

  private boolean bodyTooLong(Patience patience, long now) {
    return switch (pace) {
      case WHOLE -> now - bodySince > patience.whole().toNanos();
      case FLOWING -> now - since > patience.flowing().toNanos();
      case OPEN -> false;
    };
  }

  /// How readily it gives way to others, the longest waiting first; empty if it does not. Whoever
  /// says nothing at all goes before those who say something slowly.
  OptionalLong yields(Patience patience, long now) {
    long pressed = patience.pressed().toNanos();
    long writing = writingSince;
    if (writing != 0) {
      return after(now - writing, STALLED.toNanos());
    }
    return switch (phase) {
      case IDLE -> OptionalLong.of(Long.MAX_VALUE / 2 + (now - since));
      case SHAKING, HEAD -> after(now - since, pressed);
      case BODY ->
          switch (pace) {
            case WHOLE -> after(now - bodySince, pressed);
            case FLOWING -> after(now - since, pressed);
            case OPEN -> OptionalLong.empty();
          };
      case WORKING, TALKING -> OptionalLong.empty();
    };
  }

  private static OptionalLong after(long waited, long least) {
    return waited > least ? OptionalLong.of(waited) : OptionalLong.empty();
  }
}
