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

/// Sandboxes that are started before anybody asks.
///
/// They are made by the same code from the same specification as any other, so that there is no
/// second kind of sandbox whose walls could differ.
final class Pool implements AutoCloseable, Stock.Maker<SandboxSpec, SandboxRow> {
  private final SandboxRegistry registry;
  private final Homes homes;
  private final Lifeline lifeline;
  private final Stock<SandboxSpec, SandboxRow> stock;

  Pool(SandboxRegistry registry, Homes homes, PoolSettings settings, Lifeline lifeline) {
    this.registry = registry;
    this.homes = homes;
    this.lifeline = lifeline;
    this.stock = new Stock<>(this, settings);
  }

  /// A ready sandbox of just this specification, from now on the one of `candidate`.
  Optional<SandboxRow> take(SandboxRow candidate, SandboxSpec spec) {
    var kind = spec.temporary(0);
    return suitable(kind)
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

  @Override
  public SandboxRow make(SandboxSpec spec) {
    return make(spec, Map.of());
  }

  /// A sandbox that waits for somebody.
  SandboxRow make(SandboxSpec spec, Map<String, String> labels) {
    var row = fresh(spec, labels);
    registry.insert(row);
    try {
      var started = homes.startClaimed(row, Status.READY);
      lifeline.hold(started);
      return started;
    } catch (RuntimeException e) {
      homes.remove(row);
      throw e;
    }
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
