package husk.api.accept;

import static java.util.Objects.requireNonNull;

import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.TlsSocket;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.spi.ServerConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One connection, from its acceptance to its end. Whoever handles one of its requests finds it as
/// [#current].
public final class Visit implements Runnable {
  private static final Logger LOG = Logger.getLogger("husk.api");
  private static final ScopedValue<Visit> CURRENT = ScopedValue.newInstance();

  private final SocketChannel channel;
  private final Manners manners;
  private final Consumer<Visit> farewell;
  private final Stage stage = new Stage();
  private final Hold hold = new Hold(InboundBudget.ofProcess());
  private final String id = "0x" + Integer.toHexString(System.identityHashCode(this));
  private volatile @Nullable Inflow inflow;
  private volatile @Nullable ServerConnection speech;
  private volatile @Nullable Thread thread;

  /// @param farewell told when it has ended
  Visit(SocketChannel channel, Manners manners, Consumer<Visit> farewell) {
    this.channel = channel;
    this.manners = manners;
    this.farewell = farewell;
  }

  /// That of the request which is handled here.
  public static Visit current() {
    return CURRENT.get();
  }

  // For whoever handles a request

  /// Says how patiently the body is waited for.
  public void pace(Pace pace) {
    stage.pace(pace);
  }

  /// Says that a request has a place, which is lent while its caller is waited for.
  public void place(Place place) {
    arriving().place(place);
  }

  /// Says that a request is answered: it has no place any more, and holds nothing.
  public void answered() {
    place(Place.NONE);
    hold.keep(0);
    arriving().answered();
  }

  Hold hold() {
    return hold;
  }

  /// From here on the connection is a WebSocket's.
  public void talk() {
    arriving().talk();
  }

  private Inflow arriving() {
    return requireNonNull(inflow);
  }

  // For whoever looks after connections

  Stage stage() {
    return stage;
  }

  /// Lets whoever waits for the other end wait no longer, so that it can say why.
  void tellLate() {
    stage.tellLate();
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      cut();
    }
  }

  /// Ends it without a word; whoever reads or writes is woken.
  void cut() {
    try {
      channel.close();
    } catch (IOException e) {
      // it is closed already
    }
  }

  /// Ends it after the request that is being answered.
  void endSoon() {
    var speaking = speech;
    if (stage.phase() == Stage.Phase.IDLE || speaking == null) {
      cut();
    } else {
      speaking.close(false);
    }
  }

  /// Ends it whatever it does.
  void endNow() {
    cut();
    var running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  // Its life

  @Override
  public void run() {
    thread = Thread.currentThread();
    try {
      ScopedValue.where(CURRENT, this).run(this::serve);
    } finally {
      thread = null;
      hold.keep(0);
      cut();
      farewell.accept(this);
    }
  }

  private void serve() {
    try {
      var socket = socket();
      try {
        converse(socket);
      } finally {
        socket.close();
      }
    } catch (CloseConnectionException e) {
      // asked for by either side
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.FINE, "a connection ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HelidonSocket socket() throws IOException {
    return manners.tls().isPresent() ? shaken(manners.tls().get()) : new PlainWire(channel, id);
  }

  private HelidonSocket shaken(SSLContext tls) throws IOException {
    var factory = tls.getSocketFactory();
    var socket = (SSLSocket) factory.createSocket(channel.socket(), null, false);
    socket.setUseClientMode(false);
    socket.startHandshake();
    return TlsSocket.server(socket, id, id);
  }

  private void converse(HelidonSocket socket) throws InterruptedException {
    var arriving = new Inflow(() -> read(socket), stage);
    inflow = arriving;
    var context = new VisitContext(socket, arriving, stage, manners);
    var connection = manners.speech().connection(context);
    speech = connection;
    connection.handle(FixedLimit.create());
  }

  /// What was told to be late ends like one that has said all.
  private byte @Nullable [] read(HelidonSocket socket) {
    try {
      return socket.get();
    } catch (UncheckedIOException e) {
      if (stage.late()) {
        return null;
      }
      throw new ServerConnectionException("the connection is lost", e);
    }
  }
}
