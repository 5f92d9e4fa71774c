package husk.app;

import husk.api.DaemonControl;
import husk.api.server.Server;
import husk.core.Caller;
import husk.core.Core;
import husk.core.Places;
import husk.local.Locations;
import husk.local.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/// A running daemon: serves until it is told to stop, or until nothing has been alive and nobody
/// has asked anything for a while.
final class Daemon implements DaemonControl {
  private static final Logger LOG = Logger.getLogger("husk.daemon");
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Instant startedAt = Instant.now();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile long lastUsedNanos = System.nanoTime();

  private Daemon() {}

  static void serve(Locations locations) {
    var daemon = new Daemon();
    Runtime.getRuntime().addShutdownHook(new Thread(daemon::stopAndWait, "husk-shutdown"));
    try (var core = Core.open(places(locations));
        var server = Server.start(core, locations.socket(), daemon)) {
      // Those of an earlier daemon have been without a way out.
      core.sandboxes();
      LOG.info("serving " + locations.socket());
      daemon.awaitEnd(core, server);
    } finally {
      LOG.info("stopped");
      daemon.stopped.countDown();
    }
  }

  private static Places places(Locations locations) {
    return new Places(
        locations.home(),
        locations.registry(),
        locations.store() == Locations.Store.MEMORY,
        locations.runtime(),
        locations.sockets(),
        guest());
  }

  private static Path guest() {
    var dist = System.getProperty("husk.dist", System.getenv().getOrDefault("HUSK_DIST", "."));
    return Path.of(dist).toAbsolutePath().resolve("guest").resolve("python");
  }

  private void awaitEnd(Core core, Server server) {
    var limit = core.settings(Caller.self()).settings().daemonIdleTimeout();
    try {
      while (!stopping.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        var unused = Duration.ofNanos(System.nanoTime() - lastUsedNanos);
        if (!limit.isZero() && unused.compareTo(limit) > 0 && !server.busy() && core.idle()) {
          LOG.info("nothing is alive and nobody asked anything for " + limit.toSeconds() + " s");
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopAndWait() {
    stopping.countDown();
    try {
      stopped.await(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Instant startedAt() {
    return startedAt;
  }

  @Override
  public void used() {
    lastUsedNanos = System.nanoTime();
  }

  @Override
  public void stop() {
    // The answer to the request that asks for it is still to be sent.
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Thread.sleep(50);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              stopping.countDown();
            });
  }

  @Override
  public String version() {
    return Version.NUMBER;
  }
}
