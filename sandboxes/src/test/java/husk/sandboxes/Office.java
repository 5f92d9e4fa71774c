package husk.sandboxes;

import husk.contract.GuestAgent;
import husk.store.SqliteRegistry;
import husk.testkit.TempHome;
import java.io.IOException;
import java.util.List;

/// Sandboxes over a home of their own, for one test.
final class Office implements AutoCloseable {
  final TempHome home;
  final SqliteRegistry registry;
  final PoolSettings pool;
  Sandboxes sandboxes;

  Office(PoolSettings pool) throws IOException {
    this.home = TempHome.create();
    this.registry = SqliteRegistry.open(home.resolve("registry.db"));
    this.pool = pool;
    this.sandboxes = open();
  }

  private Sandboxes open() {
    return Sandboxes.open(registry.sandboxes(), Backends.installed(), places(), pool);
  }

  private SandboxPlaces places() {
    return new SandboxPlaces(
        home.resolve("f"),
        home.resolve("s"),
        GuestAgent.program(),
        List.of(home.resolve("own")),
        home.resolve("registry.db"));
  }

  /// What another process over the same registry would hold.
  Homes elsewhere() {
    return new Homes(registry.sandboxes(), Backends.installed(), places());
  }

  /// As another process would find them.
  void reopen() {
    sandboxes.close();
    sandboxes = open();
  }

  @Override
  public void close() throws IOException {
    sandboxes.clean(true);
    sandboxes.close();
    registry.close();
    home.close();
  }
}
