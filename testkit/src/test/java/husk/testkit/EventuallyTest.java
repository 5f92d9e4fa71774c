package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
  @Test
  void returnsAsSoonAsTheConditionHolds() {
    var asked = new AtomicInteger();
    Eventually.until(
        Duration.ofSeconds(30), () -> asked.incrementAndGet() == 3, () -> "never reached");

    assertThat(asked).hasValue(3);
  }

  @Test
  void failsWithTheReasonAndAsksAtLeastOnce() {
    assertThatThrownBy(() -> Eventually.until(Duration.ZERO, () -> false, () -> "no kernel came"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no kernel came");
    Eventually.until(Duration.ZERO, () -> true, () -> "it was true");
  }

  @Test
  void interruptionEndsTheWaitAndIsKept() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Eventually.until(Duration.ofSeconds(30), () -> false, () -> ""))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
