package husk.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The way out of one sandbox. It listens on a Unix socket of the host, to which the sandbox's
/// first process passes every connection that programs inside make to their proxy.
public final class EgressProxy implements AutoCloseable {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(50);

  private final Door door;
  private final Gate gate;
  private final Journal journal;
  private final Limits limits;
  private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("husk-egress-", 0).factory());

  private EgressProxy(Door door, Gate gate, Journal journal, Limits limits) {
    this.door = door;
    this.gate = gate;
    this.journal = journal;
    this.limits = limits;
  }

  /// Begins to listen; the socket is there when this returns.
  ///
  /// @param sandbox its name, for advice such as `husk sandbox allow NAME …`
  /// @param policy asked anew for every request
  /// @param events called by the threads that serve, so it should be quick
  public static EgressProxy open(
      Path socket,
      String sandbox,
      Supplier<EgressPolicy> policy,
      Resolver resolver,
      Consumer<EgressEvent> events) {
    var gate = new Gate(policy, resolver, SpecialAddresses.ofThisMachine(), sandbox);
    return open(socket, gate, events, Limits.USUAL);
  }

  /// The same for a sandbox that has no name.
  public static EgressProxy open(
      Path socket, Supplier<EgressPolicy> policy, Resolver resolver, Consumer<EgressEvent> events) {
    return open(socket, "NAME", policy, resolver, events);
  }

  static EgressProxy open(Path socket, Gate gate, Consumer<EgressEvent> events, Limits limits) {
    var proxy = new EgressProxy(Door.open(socket), gate, new Journal(events), limits);
    proxy.threads.execute(proxy::acceptAll);
    proxy.threads.execute(proxy::watch);
    return proxy;
  }

  /// Ends what is going on and would not be let through any more. New requests see a changed policy
  /// without this.
  public void reconsider() {
    visits.forEach(Visit::reconsider);
  }

  /// Connections there are at this moment.
  public int connections() {
    return visits.size();
  }

  private void acceptAll() {
    while (door.isOpen()) {
      try {
        admit(door.accept());
      } catch (IOException _) {
        pause(AFTER_FAILURE); // closed, or out of file descriptors for a moment
      }
    }
  }

  private void admit(SocketChannel channel) {
    var visit = new Visit(channel, gate, journal, limits);
    if (visits.size() >= limits.connections()) {
      visit.refused("unknown", tooMany());
      visit.close();
      return;
    }
    visits.add(visit);
    try {
      threads.execute(() -> serve(visit));
    } catch (RejectedExecutionException _) {
      visit.close(); // the proxy closes at this moment
    }
  }

  private Refusal tooMany() {
    return new Refusal(
        Reason.TOO_MANY_CONNECTIONS,
        "",
        "there are %d connections already".formatted(limits.connections()),
        "");
  }

  private void serve(Visit visit) {
    try (visit) {
      new Reception(threads).receive(visit);
    } catch (IOException | RejectedExecutionException _) {
      // One of the two sides is gone, or this proxy is: nobody is left to be told.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      visits.remove(visit);
    }
  }

  /// Ends connections that have been quiet for too long.
  private void watch() {
    var shortest = limits.preface().compareTo(limits.idle()) < 0 ? limits.preface() : limits.idle();
    while (door.isOpen() && pause(shortest)) {
      visits.stream().filter(Visit::isQuietForTooLong).forEach(Visit::close);
    }
  }

  /// False if there is no point in going on.
  private static boolean pause(Duration duration) {
    try {
      Thread.sleep(duration);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Ends everything: when it returns, nothing of it runs any more.
  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
      visits.forEach(Visit::close);
      awaitTheEnd();
    }
  }

  private void awaitTheEnd() {
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the egress proxy's threads do not end");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
