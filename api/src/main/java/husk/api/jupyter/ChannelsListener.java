package husk.api.jupyter;

import husk.api.Gatekeeper;
import husk.core.Service;
import husk.model.Problem;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.http.WritableHeaders;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/// One WebSocket of a Jupyter client: refuses or accepts it, and passes on what the client says.
final class ChannelsListener implements WsListener {
  private static final System.Logger LOG = System.getLogger("husk.api");
  private static final HeaderName SUB_PROTOCOL = HeaderNames.create("Sec-WebSocket-Protocol");
  private static final int LONGEST_SESSION_ID = 500;

  private final Service core;
  private final JupyterState state;
  private final Gatekeeper gatekeeper;
  private SubProtocol protocol = new DefaultProtocol();
  private String kernelId = "";
  private Optional<String> sessionId = Optional.empty();
  private long arrival;

  ChannelsListener(Service core, JupyterState state, Gatekeeper gatekeeper) {
    this.core = core;
    this.state = state;
    this.gatekeeper = gatekeeper;
  }

  @Override
  public Optional<Headers> onHttpUpgrade(HttpPrologue prologue, Headers headers) {
    try {
      var path = prologue.uriPath().path();
      gatekeeper.refusal(path, prologue.query(), headers).ifPresent(ChannelsListener::refuse);
      kernelId = core.require(KernelIds.fromPath(path.split("/", -1)[3])).kernelId();
      core.requireUsable(kernelId);
      sessionId = prologue.query().first("session_id").filter(id -> !id.isEmpty());
      if (sessionId.filter(id -> id.length() > LONGEST_SESSION_ID).isPresent()) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "the session_id is longer than " + LONGEST_SESSION_ID + " characters");
      }
      arrival = state.arrival();
    } catch (Problem problem) {
      throw answered(problem);
    }
    return agree(headers);
  }

  private static void refuse(Problem problem) {
    throw problem;
  }

  private static RequestException answered(Problem problem) {
    return RequestException.builder()
        .type(DirectHandler.EventType.OTHER)
        .status(Status.create(JupyterAnswers.status(problem.code())))
        .message(problem.text())
        .build();
  }

  /// Takes Jupyter's newer sub-protocol when the client offers it.
  private Optional<Headers> agree(Headers headers) {
    boolean offered =
        headers.stream()
            .filter(header -> header.headerName().equals(SUB_PROTOCOL))
            .flatMap(header -> header.allValues().stream())
            .flatMap(value -> Arrays.stream(value.split(",", -1)))
            .anyMatch(name -> name.strip().equals(V1Protocol.NAME));
    if (!offered) {
      return Optional.empty();
    }
    protocol = new V1Protocol();
    return Optional.of(WritableHeaders.create().set(SUB_PROTOCOL, V1Protocol.NAME));
  }

  /// Stays here until the WebSocket is over.
  @Override
  public void onOpen(WsSession helidon) {
    var socket = new WsSocket(helidon, state.budget());
    try {
      serve(socket);
    } catch (Problem problem) {
      socket.close(new CloseReason(CloseReason.POLICY, problem.text()));
      socket.drain();
    } catch (RuntimeException e) {
      // Helidon would say all of its message in the goodbye, and more than 123 bytes break that.
      LOG.log(System.Logger.Level.ERROR, "a WebSocket to kernel " + kernelId + " failed", e);
      socket.close(new CloseReason(CloseReason.UNEXPECTED, "unexpected failure"));
      socket.drain();
    } finally {
      socket.over();
    }
  }

  private void serve(WsSocket socket) {
    var session = state.session(core, kernelId, sessionId);
    var connected = session.connect(socket, protocol, arrival);
    while (connected.isEmpty()) {
      session = state.session(core, kernelId, sessionId);
      connected = session.connect(socket, protocol, arrival);
    }
    boolean politely = false;
    try {
      listen(socket, session, connected.get());
      politely = true;
      socket.close(new CloseReason(CloseReason.NORMAL, ""));
    } catch (IOException gone) {
      socket.cut();
    } finally {
      session.disconnected(connected.get(), politely);
      state.left(session);
    }
  }

  /// Until the client says goodbye.
  private void listen(WsSocket socket, ClientSession session, Delivery delivery)
      throws IOException {
    while (true) {
      try {
        switch (socket.receive()) {
          case Incoming.Data(var text, var payload) -> take(session, text, payload);
          case Incoming.Pong(var payload) -> delivery.confirmed(payload);
          case Incoming.Ping _ -> {
            // answered already
          }
          case Incoming.Goodbye() -> {
            return;
          }
        }
      } catch (Refused refused) {
        socket.close(refused.reason());
        socket.drain();
        return;
      }
    }
  }

  private void take(ClientSession session, boolean text, byte[] payload) throws Refused {
    Inbound inbound;
    try {
      inbound = protocol.decode(text, payload);
    } catch (Refused refused) {
      state.budget().give(payload.length);
      throw refused;
    }
    session.fromClient(inbound, payload.length);
  }
}
