package husk.wire.zmtp;

import husk.wire.Endpoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// Against libzmq over TCP.
class LibzmqTcpTest extends PeerContract {
  private static @Nullable Libzmq peer;

  @BeforeAll
  static void start() throws Exception {
    var any = "tcp://127.0.0.1:*";
    peer = new Libzmq(any, any, any);
  }

  @AfterAll
  static void stop() throws Exception {
    if (peer != null) {
      peer.close();
    }
  }

  @Override
  Endpoint endpoint(String socketType) {
    return Objects.requireNonNull(peer).endpoint(socketType);
  }
}
