package husk.wire.zmtp;

import husk.wire.Endpoint;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Against libzmq over Unix domain sockets.
class LibzmqIpcTest extends PeerContract {
  private static @Nullable Libzmq peer;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    var base = "ipc://" + folder.resolve("socket");
    peer = new Libzmq(base + "-1", base + "-2", base + "-3");
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
