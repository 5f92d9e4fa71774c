package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.api.Gatekeeper;
import husk.model.KernelStatus;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Clients that read slowly, or not at all.
@ExtendWith(LeakDetector.class)
final class SlowClientTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String FIFTY_MEGABYTES =
      "for i in range(500): print('%06d' % i + 'x' * 100000)";

  private TestServer server;
  private String kernel;

  @BeforeEach
  void start() {
    server = new TestServer();
    kernel = server.kernel();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void oneThatDoesNotReadHoldsNobodyBackAndLosesNothing() throws IOException {
    try (var slow = new RawClient(server, kernel, "?session_id=slow", 16 * 1024);
        var fast = server.connect(kernel, "fast")) {
      fast.run("pass");
      var printed = fast.printed(FIFTY_MEGABYTES);
      assertEquals(500 * 100_007, printed.length());
      assertTrue(server.state.spooledBytes() > 30 << 20, "it was not slow at all");
      assertEquals(printed, printedFor(slow, printed.length()));
      Eventually.until(
          PATIENCE,
          () -> server.state.spooledBytes() == 0,
          () -> "it has read all, and more waits");
    }
  }

  /// Reads and confirms until so much was printed.
  private static String printedFor(RawClient client, int length) throws IOException {
    var printed = new StringBuilder();
    boolean confirmed = false;
    while (printed.length() < length || !confirmed) {
      var frame = client.read().orElseThrow();
      confirmed = frame.code() == RawClient.PING;
      if (confirmed) {
        client.pong(frame);
      } else {
        JsonNode message = Json.tree(frame.payload());
        printed.append(message.path("content").path("text").asString(""));
      }
    }
    return printed.toString();
  }

  @Test
  void oneForWhomTooMuchWaitsIsTold() throws IOException {
    server.close();
    server =
        new TestServer(TestServer.retention(Duration.ofMinutes(10), 10, 4 << 20), Gatekeeper.OPEN);
    kernel = server.kernel();
    try (var slow = new RawClient(server, kernel, "?session_id=slow", 16 * 1024)) {
      slow.text(
          "{\"header\": {\"msg_id\": \"1\", \"msg_type\": \"execute_request\"}, \"content\": "
              + Json.text(java.util.Map.of("code", FIFTY_MEGABYTES))
              + "}");
      Eventually.until(
          PATIENCE, () -> server.state.overflows() == 1, () -> "there is room for all of it");
      assertEquals(CloseReason.POLICY, slow.awaitClose());
    }
    // The rest of it would be too much for anybody here.
    Eventually.until(
        PATIENCE,
        () -> server.core.require(KernelIds.plain(kernel)).status() != KernelStatus.BUSY,
        () -> "it prints on and on");
    try (var other = server.connect(kernel, "other")) {
      assertEquals("1\n", other.printed("print(1)"));
    }
  }

  @Test
  void whatWaitedOnDiskIsGoneWithItsClient() throws IOException {
    try (var slow = new RawClient(server, kernel, "", 16 * 1024);
        var fast = server.connect(kernel, "fast")) {
      fast.printed(FIFTY_MEGABYTES);
      assertTrue(slow.status.contains("101"));
      assertTrue(files() > 0);
    }
    Eventually.until(PATIENCE, () -> files() == 0, () -> files() + " files are left");
  }

  private long files() {
    try (var entries = Files.list(server.home.path().resolve("spool"))) {
      return entries.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void aHundredClientsComeAndGoAndNothingStays() {
    var clients = new ArrayList<Client>();
    long before = openFiles();
    for (int i = 0; i < 100; i++) {
      var client = server.connect(kernel);
      clients.add(client);
      if (i % 2 == 0) {
        assertEquals(i + "\n", client.printed("print(" + i + ")"));
      }
    }
    // The server says 101 before it has counted the connection.
    Eventually.until(
        PATIENCE,
        () -> server.state.openConnections() == 100,
        () -> server.state.openConnections() + " connections");
    for (int i = 0; i < 100; i++) {
      if (i % 3 == 0) {
        clients.get(i).drop();
      } else {
        clients.get(i).close();
      }
    }
    Eventually.until(
        PATIENCE,
        () -> server.state.sessionCount() == 0 && openFiles() < before + 20,
        () -> server.state.sessionCount() + " sessions, " + (openFiles() - before) + " files more");
  }

  private static long openFiles() {
    try (var entries = Files.list(java.nio.file.Path.of("/proc/self/fd"))) {
      return entries.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
