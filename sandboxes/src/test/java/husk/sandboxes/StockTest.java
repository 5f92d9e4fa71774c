package husk.sandboxes;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is kept ready: how many, for how long, and for whom.
final class StockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// Makes names that say their kind, and knows what has become of each.
  private static final class Workshop implements Stock.Maker<String, String> {
    final AtomicInteger made = new AtomicInteger();
    final List<String> ended = new CopyOnWriteArrayList<>();
    final Set<String> unwanted = ConcurrentHashMap.newKeySet();
    final Set<String> broken = ConcurrentHashMap.newKeySet();

    @Override
    public String make(String kind) {
      if (kind.equals("impossible")) {
        throw new IllegalStateException("this kind cannot be made");
      }
      return kind + "-" + made.incrementAndGet();
    }

    @Override
    public boolean wanted(String kind) {
      return !unwanted.contains(kind);
    }

    @Override
    public boolean usable(String thing) {
      return !broken.contains(thing);
    }

    @Override
    public void discard(String thing) {
      ended.add(thing);
    }
  }

  private final Workshop workshop = new Workshop();
  private Stock<String, String> stock = of(2, Duration.ofMinutes(5));

  private Stock<String, String> of(int size, Duration age) {
    return new Stock<>(workshop, new PoolSettings(size, age));
  }

  @AfterEach
  void close() {
    stock.close();
  }

  private void made(int number) {
    Eventually.until(
        PATIENCE, () -> workshop.made.get() == number, () -> "made: " + workshop.made.get());
  }

  @Test
  void firstToAskGetsNothingAndTheNextTwoGetOneEach() {
    assertThat(stock.take("a")).isEmpty();
    made(2);
    assertThat(stock.take("a")).contains("a-1");
    assertThat(stock.take("a")).contains("a-2");
  }

  @Test
  void everyThingIsGivenToOneOfManyWhoAskAtOnce() throws Exception {
    stock.take("a");
    made(2);
    var given = new ArrayList<String>();
    try (var crowd = Executors.newVirtualThreadPerTaskExecutor()) {
      var asked = new ArrayList<java.util.concurrent.Future<Optional<String>>>();
      for (int i = 0; i < 200; i++) {
        asked.add(crowd.submit(() -> stock.take("a")));
      }
      for (var answer : asked) {
        answer.get().ifPresent(given::add);
      }
    }
    assertThat(given).doesNotHaveDuplicates().contains("a-1", "a-2");
  }

  /// As many as are many, at once.
  private int whileManyMakeTheirOwn(int left) {
    if (left > 0) {
      return stock.byHand(() -> whileManyMakeTheirOwn(left - 1));
    }
    stock.take("a");
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    return workshop.made.get();
  }

  @Test
  void nothingIsMadeAheadWhileManyMakeTheirOwn() {
    int many = Runtime.getRuntime().availableProcessors() + 1;
    assertThat(whileManyMakeTheirOwn(many)).isZero();
    made(2);
  }

  @Test
  void nobodyGetsAThingOfAnotherKind() {
    stock.take("a");
    made(2);
    assertThat(stock.take("b")).isEmpty();
  }

  @Test
  void oneThatBrokeWhileItWaitedIsEndedAndNotGivenAway() {
    stock.take("a");
    made(2);
    workshop.broken.add("a-1");
    assertThat(stock.take("a")).contains("a-2");
    assertThat(workshop.ended).containsExactly("a-1");
  }

  @Test
  void moreAreKeptOnceAFullShelfWasEmptied() {
    stock.take("a");
    made(2);
    stock.take("a");
    stock.take("a");
    stock.take("a");
    made(6);
  }

  @Test
  void thoseThatGrewOldAreEndedAndAKindNobodyAskedForSinceIsForgotten() {
    stock.close();
    stock = of(1, Duration.ofMillis(500));
    stock.take("a");
    Eventually.until(
        PATIENCE, () -> workshop.ended.contains("a-1"), () -> "ended: " + workshop.ended);
    stock.take("b");
    made(2);
    assertThat(stock.take("b")).contains("b-2");
  }

  @Test
  void onlyTheKindsAskedForLastAreKept() {
    for (var kind : List.of("a", "b", "c", "d", "e", "f", "g")) {
      stock.take(kind);
      made(2 * (kind.charAt(0) - 'a' + 1));
    }
    Eventually.until(
        PATIENCE,
        () -> Set.copyOf(workshop.ended).equals(Set.of("a-1", "a-2")),
        () -> "ended: " + workshop.ended);
    assertThat(stock.take("b")).isPresent();
  }

  @Test
  void kindThatNobodyCanAskForAnyMoreIsNotKept() {
    stock.take("a");
    made(2);
    workshop.unwanted.add("a");
    Eventually.until(
        PATIENCE,
        () -> Set.copyOf(workshop.ended).equals(Set.of("a-1", "a-2")),
        () -> "ended: " + workshop.ended);
    assertThat(workshop.made).hasValue(2);
  }

  @Test
  void kindThatCannotBeMadeDoesNotKeepOthersFromBeingMade() {
    stock.take("impossible");
    stock.take("a");
    made(2);
    assertThat(stock.take("impossible")).isEmpty();
  }

  @Test
  void nothingIsKeptWhenTheSizeIsZero() {
    stock.close();
    stock = of(0, Duration.ofMinutes(5));
    stock.take("a");
    stock.close();
    assertThat(workshop.made).hasValue(0);
  }

  @Test
  void everythingThatWaitsEndsWithIt() {
    stock.take("a");
    made(2);
    stock.close();
    assertThat(workshop.ended).containsExactly("a-1", "a-2");
    assertThat(stock.take("a")).isEmpty();
  }
}
