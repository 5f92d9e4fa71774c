package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.wire.Endpoint;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import org.zeromq.ZMsg;

/// Against JeroMQ over TCP.
class JeroMqTest extends PeerContract {
  private static final Map<String, Endpoint> ENDPOINTS = new HashMap<>();
  private static final ZContext CONTEXT = new ZContext();

  @BeforeAll
  static void start() {
    for (var type : List.of(SocketType.ROUTER, SocketType.REP, SocketType.XPUB)) {
      var socket = CONTEXT.createSocket(type);
      socket.bind("tcp://127.0.0.1:*");
      var address = URI.create(socket.getLastEndpoint());
      ENDPOINTS.put(type.name(), new Endpoint.Tcp(address.getHost(), address.getPort()));
      Thread.ofPlatform().daemon().name("jeromq-" + type).start(() -> serve(type, socket));
    }
  }

  @AfterAll
  static void stop() {
    CONTEXT.close();
  }

  @Override
  Endpoint endpoint(String socketType) {
    return Objects.requireNonNull(ENDPOINTS.get(socketType));
  }

  private static void serve(SocketType type, ZMQ.Socket socket) {
    try (socket) {
      for (var message = ZMsg.recvMsg(socket); message != null; message = ZMsg.recvMsg(socket)) {
        if (type == SocketType.XPUB) {
          publish(socket, message.pop().getData());
        } else {
          message.send(socket);
        }
      }
    } catch (ZMQException closed) {
      // The context was closed: the test is over.
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
