package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(240)
final class LoadTest {
  private static final int MEGABYTE = 1 << 20;
  private static final int SIZE = 100 * MEGABYTE;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Sandbox sandbox;

  @BeforeEach
  void open() throws IOException {
    sandbox = Sandbox.allowing("127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    sandbox.close();
  }

  private static void pour(OutputStream out, AtomicLong poured) throws IOException {
    var part = new byte[64 * 1024];
    for (long left = SIZE; left > 0; left -= part.length) {
      out.write(part);
      poured.addAndGet(part.length);
    }
  }

  private static long drink(Client client) throws IOException {
    long drunk = 0;
    var buffer = java.nio.ByteBuffer.allocate(64 * 1024);
    while (client.channel().read(buffer.clear()) >= 0) {
      drunk += buffer.position();
    }
    return drunk;
  }

  @Test
  void aHundredMegabytesPassThroughATunnel() throws IOException {
    var poured = new AtomicLong();
    try (var upstream = Upstream.start(socket -> pour(socket.getOutputStream(), poured));
        var client = sandbox.client()) {
      client.connect("127.0.0.1:" + upstream.port());
      assertThat(drink(client)).isEqualTo(SIZE);
    }
  }

  @Test
  void aHundredMegabytesPassInChunksAndBack() throws Exception {
    try (var upstream =
            Upstream.start(
                socket -> {
                  Upstream.head(socket.getInputStream());
                  Upstream.answer(socket, "Transfer-Encoding: chunked\r\n\r\n");
                  // The request's chunks are the response's: well-formed only if nothing is lost.
                  socket.getInputStream().transferTo(socket.getOutputStream());
                });
        var client = sandbox.client();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      client.send(
          "POST http://127.0.0.1:%d/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
              .formatted(upstream.port()));
      var sending = threads.submit(() -> sendChunks(client));
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 OK");
      long received = 0;
      for (int size = chunkSize(client); size > 0; size = chunkSize(client)) {
        assertThat(client.read(size)).hasSize(size);
        client.read(2);
        received += size;
      }
      assertThat(received).isEqualTo(SIZE);
      sending.get();
    }
  }

  private static boolean sendChunks(Client client) throws IOException {
    for (int i = 0; i < SIZE / MEGABYTE; i++) {
      client.send("100000\r\n");
      client.send(new byte[MEGABYTE]);
      client.send("\r\n");
    }
    client.send("0\r\n\r\n");
    return true;
  }

  private static int chunkSize(Client client) throws IOException {
    var line = new StringBuilder();
    while (!line.toString().endsWith("\r\n")) {
      var next = client.readText(1);
      if (next.isEmpty()) {
        throw new IOException("the chunks break off");
      }
      line.append(next);
    }
    return Integer.parseInt(line.toString().strip(), 16);
  }

  /// If the proxy took more than it can pass on, the server could pour out everything.
  @Test
  void aSlowReaderHoldsItsServerBack() throws IOException {
    var poured = new AtomicLong();
    try (var upstream = Upstream.start(socket -> pour(socket.getOutputStream(), poured));
        var client = sandbox.client()) {
      client.connect("127.0.0.1:" + upstream.port());
      var last = new AtomicLong(-1);
      Eventually.until(
          PATIENCE,
          () -> poured.get() > 0 && last.getAndSet(poured.get()) == settled(poured),
          () -> "the server never stops");
      assertThat(poured.get()).isLessThan(SIZE / 2);
      assertThat(drink(client)).isEqualTo(SIZE);
    }
  }

  private static long settled(AtomicLong count) {
    try {
      Thread.sleep(300);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return count.get();
  }

  @Test
  void threeHundredClientsAreServedOrTurnedAwayAndNoneHangs() throws Exception {
    var limit = Limits.USUAL.connections();
    try (var upstream = Upstream.echoingHeads();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var request =
          "GET http://127.0.0.1:%d/ HTTP/1.1\r\nConnection: close\r\n\r\n"
              .formatted(upstream.port());
      var answers = new ArrayList<Future<String>>();
      for (int i = 0; i < 300; i++) {
        answers.add(threads.submit((Callable<String>) () -> exchangeOrNothing(request)));
      }
      int served = 0;
      for (var answer : answers) {
        assertThat(answer.get()).matches("(?s)|HTTP/1.1 200 OK.*");
        served += answer.get().isEmpty() ? 0 : 1;
      }
      assertThat(served).isGreaterThanOrEqualTo(limit);
      assertThat(upstream.visitors()).isEqualTo(served);
    }
    Eventually.until(
        PATIENCE, () -> sandbox.proxy().connections() == 0, () -> "connections are left");
  }

  private String exchangeOrNothing(String request) {
    try {
      return sandbox.exchange(request);
    } catch (IOException _) {
      return "";
    }
  }

  @Test
  void moreConnectionsThanAllowedAreClosedWithAnEvent() throws IOException {
    var few = new Limits(2, PATIENCE, PATIENCE, PATIENCE, PATIENCE);
    try (var small = Sandbox.with(EgressPolicy.OPEN, few);
        var _ = small.client();
        var _ = small.client()) {
      Eventually.until(PATIENCE, () -> small.proxy().connections() == 2, () -> "they do not come");
      try (var third = Client.raw(small.socket())) {
        assertThat(third.readAll()).isEmpty();
      }
      assertThat(small.lastEvent().reason()).isEqualTo("too-many-connections");
    }
  }
}
