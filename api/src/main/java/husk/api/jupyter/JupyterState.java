package husk.api.jupyter;

import husk.api.Callers;
import husk.api.accept.InboundBudget;
import husk.api.spool.SpoolLimits;
import husk.core.Caller;
import husk.core.Service;
import husk.kernels.PrivateFiles;
import husk.kernels.Threads;
import husk.model.Ids;
import io.helidon.webserver.http.ServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// What outlives a request of Jupyter's dialect: clients' conversations with kernels, those of
/// clients that have gone included, for they may come back.
public final class JupyterState implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(250);

  private final Path directory;
  private final Caller caller;
  private final Retention retention;
  private final Instant startedAt = Instant.now();
  private final Counters counters = new Counters();
  private final InboundBudget budget = InboundBudget.ofProcess();
  private final Map<SessionKey, ClientSession> sessions = new ConcurrentHashMap<>();
  private final Set<String> restarting = ConcurrentHashMap.newKeySet();
  private final AtomicLong arrivals = new AtomicLong();
  private volatile boolean open = true;

  /// @param directory where messages wait that memory does not hold
  public JupyterState(Path directory) {
    this(directory, Caller.self(), Retention.DEFAULT);
  }

  /// @param caller whom new kernels take their settings and surroundings from
  JupyterState(Path directory, Caller caller, Retention retention) {
    this.directory = directory;
    this.caller = caller;
    this.retention = retention;
    PrivateFiles.directory(directory);
    Threads.start("husk-jupyter-ticker", this::tick);
  }

  /// How long, and for how many, messages are kept.
  ///
  /// @param away how long a client may be away
  /// @param sessions how many clients may be away
  /// @param spool how much waits for one of them
  record Retention(Duration away, int sessions, SpoolLimits spool) {
    static final Retention DEFAULT =
        new Retention(Duration.ofMinutes(10), 64, new SpoolLimits(1 << 20, 2 << 20, 1L << 30));
  }

  Path directory() {
    return directory;
  }

  SpoolLimits limits() {
    return retention.spool();
  }

  InboundBudget budget() {
    return budget;
  }

  Counters counters() {
    return counters;
  }

  /// Whom a request is served for.
  Caller caller(ServerRequest request) {
    return Callers.preset(request).orElse(caller);
  }

  Instant startedAt() {
    return startedAt;
  }

  // Conversations

  /// A number for a client that comes in, above those of all who came before.
  long arrival() {
    return arrivals.incrementAndGet();
  }

  /// A client's conversation with a kernel: the one it left, or a new one. Without a session id it
  /// is always new, and ends with the WebSocket.
  ///
  /// @param core as the client is served by it
  synchronized ClientSession session(Service core, String kernelId, Optional<String> sessionId) {
    var key = new SessionKey(kernelId, sessionId.orElseGet(Ids::fresh));
    var known = sessions.get(key);
    if (known != null && !known.isOver()) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    var fresh = new ClientSession(core, kernelId, sessionId.isPresent(), this);
    sessions.put(key, fresh);
    fresh.start();
    return fresh;
  }

  /// A client's WebSocket has ended.
  void left(ClientSession session) {
    if (!session.kept() || session.isOver()) {
      giveUp(session);
    }
  }

  private void giveUp(ClientSession session) {
    if (session.giveUp()) {
      sessions.values().remove(session);
    }
  }

  /// How many WebSockets a kernel has.
  int connections(String kernelId) {
    return (int)
        sessions.entrySet().stream()
            .filter(entry -> entry.getKey().kernelId().equals(kernelId))
            .filter(entry -> entry.getValue().away().isEmpty())
            .count();
  }

  private void tick() {
    while (open) {
      sessions.values().forEach(this::look);
      makeRoom();
      Threads.sleep(TICK.toMillis());
    }
  }

  private void look(ClientSession session) {
    session.tick();
    if (session.away().filter(this::tooLong).isPresent()) {
      giveUp(session);
    } else if (session.sinceOver().filter(this::tooLong).isPresent()) {
      // its client has not read what it was left
      session.close();
      sessions.values().remove(session);
    }
  }

  private boolean tooLong(Duration time) {
    return time.compareTo(retention.away()) > 0;
  }

  /// Of too many that are away, those go first that have been away longest.
  private void makeRoom() {
    sessions.values().stream()
        .filter(session -> session.away().isPresent())
        .sorted(Comparator.comparing(session -> session.away().orElse(Duration.ZERO)))
        .skip(retention.sessions())
        .forEach(this::giveUp);
  }

  // Restarts

  /// Whether somebody restarts a kernel through this dialect, and knows that it is away.
  boolean restarting(String kernelId) {
    return restarting.contains(kernelId);
  }

  void restart(Service core, String kernelId) {
    restarting.add(kernelId);
    try {
      core.restart(kernelId);
    } finally {
      restarting.remove(kernelId);
    }
  }

  // For metrics

  public long openConnections() {
    return sessions.values().stream().filter(session -> session.away().isEmpty()).count();
  }

  /// Clients that are here, and those that may come back.
  int sessionCount() {
    return sessions.size();
  }

  public long messagesFromClients() {
    return counters.messagesReceived();
  }

  public long messagesToClients() {
    return counters.messagesSent();
  }

  public long bytesToClients() {
    return counters.bytesSent();
  }

  /// Clients that were given up because too much waited for them.
  public long overflows() {
    return counters.overflows();
  }

  /// Bytes that wait for clients, in memory and on disk.
  public long spooledBytes() {
    return sessions.values().stream().mapToLong(ClientSession::spooled).sum();
  }

  /// Closes every WebSocket, saying why, and forgets what waited for clients that are away.
  @Override
  public void close() {
    open = false;
    var all = List.copyOf(sessions.values());
    all.forEach(ClientSession::close);
    all.forEach(ClientSession::awaitEnd);
    sessions.clear();
    PrivateFiles.delete(directory);
  }
}
