package husk.api.sse;

import husk.api.spool.SpoolReader;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Sends one reader the events of a log, and a sign of life when there are none.
final class EventSender {
  private static final byte[] HEARTBEAT = ": still there\n\n".getBytes(StandardCharsets.UTF_8);

  private final EventLog log;
  private final SpoolReader reader;
  private final Duration pulse;

  EventSender(EventLog log, long after, int pulseSeconds) {
    this.log = log;
    this.reader = log.read(this, after);
    this.pulse = Duration.ofSeconds(pulseSeconds);
  }

  /// Waits for the first event, or the end.
  void awaitFirst() throws InterruptedException {
    reader.await(Duration.ofSeconds(1));
  }

  /// Sends until the end.
  ///
  /// @return false when the client was gone before it, and nobody else reads
  boolean send(ServerResponse response) throws InterruptedException {
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    // Proxies that gather answers before they pass them on are asked not to.
    response.header(HeaderNames.create("X-Accel-Buffering"), "no");
    try (var out = response.outputStream()) {
      sendAll(out);
      log.leave(this);
      return true;
    } catch (IOException | UncheckedIOException | CloseConnectionException gone) {
      return !log.leave(this) || log.ended();
    }
  }

  private void sendAll(OutputStream out) throws IOException, InterruptedException {
    out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
    while (true) {
      if (!reader.await(pulse)) {
        out.write(HEARTBEAT);
        out.flush();
        continue;
      }
      long sequence = reader.sequence();
      var event = reader.next();
      if (event.isEmpty()) {
        return;
      }
      var id = "id: " + log.executionId + "-" + sequence + "\n";
      out.write(id.getBytes(StandardCharsets.UTF_8));
      out.write(event.get());
      if (!reader.await(Duration.ZERO)) {
        out.flush();
      }
    }
  }
}
