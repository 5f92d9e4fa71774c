package husk.sandboxes;

import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Looks after the sandboxes: notices those that ended, and removes those whose time is over.
final class Keeper implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");
  private static final long LOOK_MS = 250;

  /// Looking at thousands is to take no more than a small part of the time.
  private static final int REST = 20;

  private final SandboxRegistry registry;
  private final Homes homes;
  private final Consumer<SandboxRow> nobodys;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /// @param nobodys told of a sandbox that waited in vain, before nothing of it is known any more
  Keeper(SandboxRegistry registry, Homes homes, Consumer<SandboxRow> nobodys) {
    this.registry = registry;
    this.homes = homes;
    this.nobodys = nobodys;
  }

  void start() {
    Thread.ofVirtual().name("husk-sandbox-keeper").start(this::run);
  }

  /// What an earlier process left: the living are taken over, the others' rows put right. A pool
  /// that was never asked is nobody's.
  void recover() {
    homes.emptyTrash();
    homes.findAgain();
    for (var row : registry.list()) {
      if (row.name().isEmpty() && !othersPool(row)) {
        removeNobodys(row.withStatus(Status.RUNNING));
      } else {
        look(row);
      }
    }
  }

  private void removeNobodys(SandboxRow row) {
    nobodys.accept(row);
    homes.remove(row);
  }

  /// Whether another process that lives is still starting it.
  private static boolean othersPool(SandboxRow row) {
    return row.status() == Status.STARTING
        && row.pid() != Self.PID
        && Self.startTime(row.pid()) == row.startTime();
  }

  private void run() {
    try {
      long pause = LOOK_MS;
      while (!closing.await(pause, TimeUnit.MILLISECONDS)) {
        long began = System.nanoTime();
        look();
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        pause = Math.max(LOOK_MS, REST * took);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      closed.countDown();
    }
  }

  private void look() {
    try {
      registry.list().forEach(this::look);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "could not look after the sandboxes", e);
    }
  }

  private void look(SandboxRow row) {
    try {
      if (row.expiresAt().filter(Instant.now()::isAfter).isPresent()) {
        homes.remove(row);
      } else if (row.status() == Status.STARTING) {
        homes.forsaken(row);
      } else if (row.status() == Status.RUNNING && homes.live(row).isEmpty()) {
        homes.ended(row);
      } else if (row.status() == Status.RUNNING && homes.abandoned(row)) {
        removeNobodys(row);
      }
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "could not look after sandbox " + row.id(), e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      closed.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
