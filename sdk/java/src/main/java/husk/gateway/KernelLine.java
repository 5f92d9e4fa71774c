package husk.gateway;

import husk.kernels.Threads;
import husk.model.Ids;
import husk.model.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;

/// The line to one kernel: brings cells there, and messages back to the cells they are about.
///
/// A line that breaks is made anew under the same session, and the gateway sends what was missed.
/// Should it not, a question sent after it tells: a kernel answers in order, so what has not been
/// answered by then never will be.
final class KernelLine implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long NUDGE_MILLIS = 1000;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final GatewayRest rest;
  private final String kernelId;
  private final Sockets sockets;
  private final String session = Ids.fresh();
  private final Cells cells = new Cells(this::interruptQuietly);
  private final Map<String, Probe> probes = new ConcurrentHashMap<>();
  private final Heard heard = new Heard();
  private final CountDownLatch closed = new CountDownLatch(1);

  /// Held while something is sent, so that cells are known in the order they went out.
  private final ReentrantLock sending = new ReentrantLock(true);

  KernelLine(Sockets.Opening opening, GatewayRest rest, String kernelId) {
    this.rest = rest;
    this.kernelId = kernelId;
    var path = "/api/kernels/" + kernelId + "/channels?session_id=" + session;
    this.sockets = new Sockets(opening, path, this::route, this::reconnectLater);
  }

  /// Opens it, and waits until the kernel has answered on every channel.
  void open(Duration pingInterval) throws IOException {
    sockets.connect();
    long deadline = System.nanoTime() + START.toNanos();
    var probe = new Probe();
    for (ask(probe); !probe.answeredWithin(NUDGE_MILLIS); ask(probe)) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw new IOException("kernel " + kernelId + " does not answer");
      }
    }
    probes.clear();
    if (pingInterval.isPositive()) {
      Threads.start("husk-gateway-ping", () -> keepAlive(pingInterval));
    }
  }

  /// Sends code, and sees to its limit; what becomes of it, the cell tells.
  void submit(Cell cell, String code) {
    sending.lock();
    try {
      cells.add(cell);
      sockets.send(Frames.execute(cell.id, session, code));
    } catch (IOException e) {
      cells.end(
          cell, Outcome.raised(ExecutionError.CONNECTION_LOST, String.valueOf(e.getMessage())));
    } finally {
      sending.unlock();
    }
  }

  void cancel(Cell cell) throws InterruptedException {
    cells.cancel(cell);
  }

  private void ask(Probe probe) throws IOException {
    var id = Ids.fresh();
    probes.put(id, probe);
    sending.lock();
    try {
      sockets.send(Frames.kernelInfo(id, session));
    } finally {
      sending.unlock();
    }
  }

  private void route(JsonNode message) {
    if (!heard.isNew(message.path("header").path("msg_id").asString(""))) {
      return;
    }
    var type = message.path("header").path("msg_type").asString("");
    var content = message.path("content");
    var state = type.equals("status") ? content.path("execution_state").asString("") : "";
    if (state.equals("restarting") || state.equals("dead")) {
      cells.endAll(
          Outcome.raised(
              ExecutionError.KERNEL_DIED, "the kernel's process ended; its variables are lost"));
      return;
    }
    var parent = message.path("parent_header").path("msg_id").asString("");
    var probe = probes.get(parent);
    if (probe != null) {
      probe.hear(type, state);
    } else {
      cells.hear(parent, type, content);
    }
  }

  private void interruptQuietly() {
    try {
      rest.interrupt(kernelId);
    } catch (IOException | Problem unreachable) {
      // A kernel that is gone runs nothing.
    }
  }

  private void keepAlive(Duration interval) {
    try {
      while (!closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
        sockets.ping();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reconnectLater(String why) {
    Threads.start("husk-gateway-reconnect", () -> reconnect(why));
  }

  private void reconnect(String why) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    var unanswered = cells.all();
    long pause = 20;
    while (closed.getCount() > 0) {
      try {
        if (!rest.exists(kernelId)) {
          giveUp(ExecutionError.KERNEL_DIED, "the gateway has no such kernel any more");
        } else {
          sockets.connect();
          settle(unanswered);
        }
        return;
      } catch (IOException | Problem e) {
        if (System.nanoTime() > deadline) {
          giveUp(ExecutionError.CONNECTION_LOST, why + "; " + e.getMessage());
          return;
        }
        Threads.sleep(pause);
        pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
      }
    }
  }

  private void settle(List<Cell> unanswered) throws IOException {
    var probe = new Probe();
    ask(probe);
    var _ = probe.answered().thenRun(() -> cells.settle(unanswered));
  }

  private void giveUp(String ename, String why) {
    sockets.giveUp(ename + ": " + why);
    cells.endAll(Outcome.raised(ename, why));
  }

  @Override
  public void close() {
    closed.countDown();
    sockets.giveUp("the client was disconnected");
    cells.endAll(Outcome.raised(ExecutionError.CANCELLED, "the client was disconnected"));
  }
}
