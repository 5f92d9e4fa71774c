package husk.api.accept;

import husk.kernels.Threads;
import io.helidon.webserver.Router;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/// Where connections come in. Helidon's own listener closes for good when a connection cannot be
/// accepted, for want of a descriptor above all; this one tries again.
public final class Door implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration LAST_MOMENT = Duration.ofMillis(500);

  private final ServerSocketChannel listening;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Visit> visits = ConcurrentHashMap.newKeySet();
  private final Router router;
  private final Manners manners;
  private final Room room;
  private final Patience patience;
  private final Troubles troubles;
  private volatile boolean open = true;

  private Door(ServerSocketChannel listening, Spec spec) {
    this.listening = listening;
    this.router = spec.router();
    this.manners = Manners.of(spec.router(), spec.tls(), executor);
    this.room = spec.room();
    this.patience = spec.patience();
    this.troubles = new Troubles(spec.says());
  }

  /// What a door is to be.
  ///
  /// @param address where to listen
  /// @param router what is served
  /// @param tls how to speak TLS
  /// @param room how many connections there may be
  /// @param patience how long each may take
  /// @param says is told of what whoever serves should know
  public record Spec(
      SocketAddress address,
      Router router,
      Optional<SSLContext> tls,
      Room room,
      Patience patience,
      Consumer<String> says) {}

  /// Listens from now on.
  public static Door open(Spec spec) throws IOException {
    var door = new Door(bound(spec.address()), spec);
    door.prepare();
    door.router.beforeStart();
    Threads.start("husk-door", door::acceptAll);
    Threads.start("husk-door-watch", door::watch);
    return door;
  }

  private static ServerSocketChannel bound(SocketAddress address) throws IOException {
    var listening =
        address instanceof UnixDomainSocketAddress
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            : ServerSocketChannel.open();
    try {
      return listening.bind(address, BACKLOG);
    } catch (IOException | RuntimeException e) {
      listening.close();
      throw e;
    }
  }

  /// The port; -1 when there is none.
  public int port() throws IOException {
    return listening.getLocalAddress() instanceof InetSocketAddress inet ? inet.getPort() : -1;
  }

  private void acceptAll() {
    while (open) {
      try {
        awaitPlace();
        accept();
        troubles.over();
      } catch (IOException | RuntimeException | LinkageError e) {
        if (open) {
          troubles.cannotAccept(e);
          room.makePlace(patience);
          Threads.sleep(PAUSE);
        }
      }
    }
  }

  /// Until then, whoever comes waits outside.
  private void awaitPlace() {
    while (open && room.full()) {
      troubles.full(room);
      if (!room.makePlace(patience)) {
        Threads.sleep(PAUSE);
      }
    }
  }

  private void accept() throws IOException {
    var channel = listening.accept();
    var visit = new Visit(channel, manners, this::left);
    visits.add(visit);
    room.enter(visit);
    try {
      begin(channel, visit);
    } catch (IOException | RuntimeException e) {
      visit.cut();
      left(visit);
      throw e;
    }
  }

  private void begin(SocketChannel channel, Visit visit) throws IOException {
    if (listening.getLocalAddress() instanceof InetSocketAddress) {
      // Without it, small messages over a WebSocket wait for each other's acknowledgement.
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    Thread.ofVirtual().name("husk-connection").start(visit);
  }

  private void left(Visit visit) {
    room.leave(visit);
    visits.remove(visit);
  }

  private void watch() {
    while (open) {
      long now = System.nanoTime();
      try {
        visits.forEach(visit -> look(visit, now));
      } catch (RuntimeException | LinkageError e) {
        troubles.cannotAccept(e);
      }
      Threads.sleep(LOOK);
    }
  }

  /// Loads what is needed once there are no descriptors left to load it with.
  private void prepare() {
    var stage = new Stage();
    stage.tooLong(patience, System.nanoTime());
    stage.yields(patience, System.nanoTime());
  }

  private void look(Visit visit, long now) {
    var stage = visit.stage();
    if (stage.late()) {
      if (stage.overdue(now)) {
        visit.cut();
      }
    } else if (stage.tooLong(patience, now)) {
      if (stage.phase() == Stage.Phase.HEAD || stage.phase() == Stage.Phase.BODY) {
        visit.tellLate();
      } else {
        visit.cut();
      }
    }
  }

  /// Lets nobody else in, and gives those that are here a moment.
  @Override
  public void close() {
    open = false;
    try {
      listening.close();
    } catch (IOException e) {
      // it is closed already
    }
    visits.forEach(Visit::endSoon);
    awaitNobody();
    visits.forEach(Visit::endNow);
    executor.shutdownNow();
    router.afterStop();
  }

  private void awaitNobody() {
    long deadline = System.nanoTime() + LAST_MOMENT.toNanos();
    while (!visits.isEmpty() && System.nanoTime() < deadline) {
      Threads.sleep(PAUSE);
    }
  }
}
