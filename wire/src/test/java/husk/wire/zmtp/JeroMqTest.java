package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Endpoint;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

/// Against JeroMQ over TCP.
class JeroMqTest extends PeerContract {
  private static final Map<String, Endpoint> ENDPOINTS = new HashMap<>();
  private static final List<Thread> SERVERS = new ArrayList<>();
  private static volatile boolean over;

  @BeforeAll
  static void start() throws Exception {
    over = false;
    for (var type : List.of(SocketType.ROUTER, SocketType.REP, SocketType.XPUB)) {
      var bound = new CompletableFuture<Endpoint>();
      SERVERS.add(
          Thread.ofPlatform().daemon().name("jeromq-" + type).start(() -> serve(type, bound)));
      ENDPOINTS.put(type.name(), bound.get(30, TimeUnit.SECONDS));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    over = true;
    for (var server : SERVERS) {
      server.join();
    }
    SERVERS.clear();
  }

  @Override
  Endpoint endpoint(String socketType) {
    return Objects.requireNonNull(ENDPOINTS.get(socketType));
  }

  /// Each server owns its context: closing one under another thread's feet hangs JeroMQ.
  private static void serve(SocketType type, CompletableFuture<Endpoint> bound) {
    try (var context = new ZContext();
        var socket = context.createSocket(type)) {
      socket.setReceiveTimeOut(20);
      socket.bind("tcp://127.0.0.1:*");
      var address = URI.create(socket.getLastEndpoint());
      bound.complete(new Endpoint.Tcp(address.getHost(), address.getPort()));
      while (!over) {
        var message = ZMsg.recvMsg(socket);
        if (message == null) {
          continue;
        }
        if (type == SocketType.XPUB) {
          publish(socket, message.pop().getData());
        } else {
          message.send(socket);
        }
      }
    }
  }

  private static void publish(ZMQ.Socket socket, byte[] subscription) {
    var topic = new String(subscription, 1, subscription.length - 1, UTF_8);
    for (int i = 0; subscription[0] == 1 && i < 1000; i++) {
      socket.sendMore("other");
      socket.send("unwanted");
      socket.sendMore(topic);
      socket.send("" + i);
    }
  }
}
