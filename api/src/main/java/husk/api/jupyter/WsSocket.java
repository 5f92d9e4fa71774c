package husk.api.jupyter;

import husk.api.accept.InboundBudget;
import husk.api.accept.Visit;
import husk.kernels.Threads;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.websocket.WsSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/// One client's WebSocket after its upgrade.
///
/// Frames are read and written here and not by Helidon, whose loop decodes the fragments of a text
/// one by one, keeps room for the largest message of a connection, and closes one on which a client
/// has said nothing for a while.
final class WsSocket {
  static final int LARGEST_MESSAGE = 64 << 20;

  private static final int LONGEST_REASON = 120;
  private static final long GOODBYE_MILLIS = 2_000;

  private final ServerConnection helidon;
  private final ConnectionContext connection;
  private final InboundBudget budget;
  private final WsInput input;
  private final WsOutput output;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Thread> goodbye = new CompletableFuture<>();
  private volatile boolean over;

  WsSocket(WsSession session, InboundBudget budget) {
    this.helidon = (ServerConnection) session;
    this.connection = (ConnectionContext) session.socketContext();
    this.budget = budget;
    this.input = new WsInput(connection.dataReader(), LARGEST_MESSAGE, budget);
    this.output = new WsOutput(connection.dataWriter());
    Visit.current().talk();
  }

  /// Waits for what the client says next; its pings are answered here.
  Incoming receive() throws Refused, IOException {
    while (true) {
      try {
        var incoming = input.next();
        if (!(incoming instanceof Incoming.Ping(var payload))) {
          return incoming;
        }
        output.pong(payload);
      } catch (RuntimeException e) {
        throw new IOException("the client is gone", e);
      }
    }
  }

  /// Sends a message.
  ///
  /// @param more whether another follows at once, with which it may go out
  void send(Outbound message, boolean more) throws IOException {
    output.send(message.text() ? WsInput.TEXT : WsInput.BINARY, message.parts(), more);
  }

  void ping(byte[] payload) throws IOException {
    output.send(WsInput.PING, List.of(ByteBuffer.wrap(payload)));
  }

  /// Says goodbye, and gives the client a moment to say so too before the connection is cut.
  ///
  /// Both in threads of their own: a client that does not read would hold the caller up.
  void close(CloseReason reason) {
    if (closing.compareAndSet(false, true)) {
      goodbye.complete(Threads.start("husk-ws-goodbye", () -> sayGoodbye(reason)));
      Threads.start("husk-ws-cut", this::cutUnlessOver);
    }
  }

  private void cutUnlessOver() {
    for (long waited = 0; waited < GOODBYE_MILLIS && !over; waited += 20) {
      Threads.sleep(20);
    }
    if (!over) {
      cut();
    }
  }

  private void sayGoodbye(CloseReason reason) {
    var text = reason.text().getBytes(StandardCharsets.UTF_8);
    var payload = ByteBuffer.allocate(2 + Math.min(text.length, LONGEST_REASON));
    payload.putShort((short) reason.code()).put(whole(text)).flip();
    try {
      output.send(WsInput.CLOSE, List.of(payload));
    } catch (IOException e) {
      // it has gone without
    }
  }

  /// Not cut in the middle of a character.
  private static byte[] whole(byte[] text) {
    int end = Math.min(text.length, LONGEST_REASON);
    while (end < text.length && end > 0 && (text[end] & 0xc0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(text, end);
  }

  /// Ends the connection without a word; whoever reads or writes is woken.
  void cut() {
    try {
      connection.serverSocket().close();
    } catch (RuntimeException e) {
      // it is closed already
    }
  }

  /// Reads past all that still comes after a goodbye: a connection that is cut with something
  /// unread takes the goodbye along.
  void drain() {
    try {
      for (var late = receive(); !(late instanceof Incoming.Goodbye); late = receive()) {
        if (late instanceof Incoming.Data(_, var payload)) {
          budget.give(payload.length);
        }
      }
    } catch (Refused broken) {
      input.discard();
    } catch (IOException gone) {
      // it need not be waited for
    }
  }

  /// Called by the one who reads, when nothing more will be read.
  void over() {
    if (closing.get()) {
      awaitGoodbye();
    }
    over = true;
    input.close();
    // Keeps Helidon from reading on, once this thread is back with it.
    helidon.close(false);
  }

  private void awaitGoodbye() {
    try {
      goodbye.join().join(Duration.ofMillis(GOODBYE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
