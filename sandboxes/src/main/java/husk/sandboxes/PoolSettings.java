package husk.sandboxes;

import java.time.Duration;

/// How many things of one kind wait for somebody, and how old they may get.
public record PoolSettings(int size, Duration age) {
  public static final PoolSettings NONE = new PoolSettings(0, Duration.ofMinutes(5));
}
