package husk.api.accept;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.Headers;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import java.util.concurrent.ExecutorService;

/// A connection as Helidon knows it.
final class VisitContext implements ConnectionContext {
  private final HelidonSocket socket;
  private final Inflow inflow;
  private final Manners manners;
  private final DataReader reader;
  private final DataWriter writer;

  VisitContext(HelidonSocket socket, Inflow inflow, Stage stage, Manners manners) {
    this.socket = socket;
    this.inflow = inflow;
    this.manners = manners;
    this.reader = DataReader.create(inflow);
    this.writer = new Outflow(socket, stage, inflow::place);
  }

  void head(Headers headers) {
    inflow.head(headers);
  }

  @Override
  public ListenerContext listenerContext() {
    return manners.listening();
  }

  @Override
  public ExecutorService executor() {
    return manners.listening().executor();
  }

  @Override
  public DataWriter dataWriter() {
    return writer;
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public Router router() {
    return manners.router();
  }

  @Override
  public HelidonSocket serverSocket() {
    return socket;
  }

  @Override
  public PeerInfo remotePeer() {
    return socket.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return socket.localPeer();
  }

  @Override
  public boolean isSecure() {
    return socket.isSecure();
  }

  @Override
  public String socketId() {
    return socket.socketId();
  }

  @Override
  public String childSocketId() {
    return socket.childSocketId();
  }
}
