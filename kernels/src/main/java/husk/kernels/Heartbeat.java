package husk.kernels;

import husk.wire.Channel;
import husk.wire.ConnectionInfo;
import husk.wire.zmtp.SocketType;
import husk.wire.zmtp.ZmtpSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Asks a kernel whether it still reacts at all; kernels answer this while they run code.
public final class Heartbeat {
  private static final byte[] PING = "husk".getBytes(StandardCharsets.UTF_8);

  private Heartbeat() {}

  public static boolean answers(ConnectionInfo info, Duration limit) {
    try (var socket = ZmtpSocket.connect(info.endpoint(Channel.HEARTBEAT), SocketType.REQ, limit)) {
      socket.send(List.of(PING));
      var echo = new CompletableFuture<List<byte[]>>();
      Threads.start("husk-heartbeat", () -> receive(socket, echo));
      echo.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (IOException | ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void receive(ZmtpSocket socket, CompletableFuture<List<byte[]>> echo) {
    try {
      echo.complete(socket.receive());
    } catch (IOException e) {
      echo.completeExceptionally(e);
    }
  }
}
