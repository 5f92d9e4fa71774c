package husk.sandboxes;

import husk.model.Ids;
import husk.spi.Mount;
import husk.spi.SandboxSpec;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.wire.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Sandboxes that are started before anybody asks.
///
/// They are made by the same code from the same specification as any other, so that there is no
/// second kind of sandbox whose walls could differ.
final class Pool implements AutoCloseable, Stock.Maker<Pool.Kind, SandboxRow> {
  private static final long NO_FAMILY = 0;

  /// What two ready sandboxes have in common.
  ///
  /// @param family that they are in, by its first process; 0 for each its own
  record Kind(SandboxSpec spec, long family) {}

  private final SandboxRegistry registry;
  private final Homes homes;
  private final Lifeline lifeline;
  private final Stock<Kind, SandboxRow> stock;

  Pool(SandboxRegistry registry, Homes homes, PoolSettings settings, Lifeline lifeline) {
    this.registry = registry;
    this.homes = homes;
    this.lifeline = lifeline;
    this.stock = new Stock<>(this, settings);
  }

  /// A ready sandbox of just this specification, from now on the one of `candidate`.
  Optional<SandboxRow> take(SandboxRow candidate, SandboxSpec spec) {
    return take(candidate, new Kind(spec.temporary(0), NO_FAMILY));
  }

  /// The same in a family.
  Optional<SandboxRow> takeBeside(SandboxRow candidate, SandboxSpec spec, long family) {
    return take(candidate, new Kind(spec, family));
  }

  private Optional<SandboxRow> take(SandboxRow candidate, Kind kind) {
    return suitable(kind.spec())
        ? stock.take(kind).flatMap(ready -> adopt(ready, candidate))
        : Optional.empty();
  }

  /// Only what nobody could have written to is started for whoever may come.
  private static boolean suitable(SandboxSpec spec) {
    return spec.ports().isEmpty() && spec.mounts().stream().noneMatch(Mount::writable);
  }

  /// Gives a ready sandbox to somebody, unless another process has removed it.
  Optional<SandboxRow> adopt(SandboxRow ready, SandboxRow candidate) {
    lifeline.release(ready);
    try {
      return registry.adopt(ready.id(), candidate);
    } catch (RuntimeException e) {
      homes.remove(ready);
      throw e;
    }
  }

  /// See [Stock#byHand].
  SandboxRow byHand(Supplier<SandboxRow> making) {
    return stock.byHand(making);
  }

  @Override
  public SandboxRow make(Kind kind) {
    return make(kind, Map.of());
  }

  /// A sandbox that waits for somebody.
  SandboxRow make(SandboxSpec spec, Map<String, String> labels) {
    return make(new Kind(spec, NO_FAMILY), labels);
  }

  private SandboxRow make(Kind kind, Map<String, String> labels) {
    var row = fresh(kind.spec(), labels);
    registry.insert(row);
    try {
      var started = homes.startClaimed(row, Status.READY, kind.family());
      lifeline.hold(started);
      return started;
    } catch (RuntimeException e) {
      homes.remove(row);
      throw e;
    }
  }

  @Override
  public boolean wanted(Kind kind) {
    return kind.family() == NO_FAMILY || homes.inhabited(kind.family());
  }

  @Override
  public boolean usable(SandboxRow ready) {
    return homes.holds(ready);
  }

  @Override
  public void discard(SandboxRow ready) {
    lifeline.release(ready);
    homes.remove(ready);
  }

  private static SandboxRow fresh(SandboxSpec spec, Map<String, String> labels) {
    var now = Instant.now();
    return new SandboxRow(
        Ids.fresh(),
        Optional.empty(),
        Status.STARTING,
        Self.PID,
        Self.START_TIME,
        now,
        now,
        0,
        Optional.empty(),
        Json.text(spec),
        labels,
        Optional.empty());
  }

  @Override
  public void close() {
    stock.close();
  }
}
