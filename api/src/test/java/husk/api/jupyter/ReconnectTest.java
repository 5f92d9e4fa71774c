package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a client gets that comes back with its session id.
@ExtendWith(LeakDetector.class)
final class ReconnectTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
  void whatWasMissedIsReplayedInOrder() {
    String id;
    try (var client = server.connect(kernel, "s")) {
      id = client.execute("import time\ntime.sleep(0.5)\nfor i in range(1000): print(i)");
      client.until(m -> m.type().equals("execute_input"));
    }
    Eventually.until(PATIENCE, () -> idle(), () -> "the cell does not end");
    try (var client = server.connectV1(kernel, "s")) {
      var messages = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
      assertEquals(numbers(1000), Client.printed(messages));
    }
  }

  private boolean idle() {
    return server.state.spooledBytes() > 0
        && server
            .get("/api/kernels/" + kernel)
            .body()
            .path("execution_state")
            .asString()
            .equals("idle");
  }

  private static String numbers(int count) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i).append('\n');
    }
    return text.toString();
  }

  @Test
  void aHundredThousandPrintsSurviveDropAfterDrop() {
    int lines = 100_000;
    var heard = new ArrayList<Received>();
    var client = server.connect(kernel, "s");
    var id = client.execute("for i in range(" + lines + "): print(i, flush=i % 10 == 0)");
    int drops = 0;
    while (true) {
      int before = heard.size();
      var random = ThreadLocalRandom.current();
      int count = drops < 30 ? random.nextInt(1, 400) : Integer.MAX_VALUE;
      client.until(
          m -> {
            heard.add(m);
            return m.type().equals("execute_reply") || heard.size() - before >= count;
          });
      heard.addAll(client.drop());
      if (heard.stream().anyMatch(m -> m.type().equals("execute_reply"))) {
        break;
      }
      drops++;
      client = server.connect(kernel, "s");
    }
    assertTrue(drops > 5, "too few drops to mean anything: " + drops);
    assertEquals(numbers(lines), Client.printed(once(heard, id)));
  }

  /// What was sent but not confirmed is sent again; each message counts once.
  private static List<Received> once(List<Received> heard, String requestId) {
    var seen = new java.util.LinkedHashMap<String, Received>();
    for (var message : heard) {
      if (message.parentId().equals(requestId)) {
        seen.putIfAbsent(message.header().path("msg_id").asString(), message);
      }
    }
    return List.copyOf(seen.values());
  }

  @Test
  void aClientThatHeardAllAndLeftPolitelyHearsNothingTwice() {
    try (var client = server.connect(kernel, "s")) {
      client.run("print(1)");
      Eventually.until(
          PATIENCE, () -> server.state.spooledBytes() == 0, () -> "nothing is confirmed");
    }
    try (var client = server.connect(kernel, "s")) {
      var messages = client.run("print(2)");
      assertEquals("2\n", Client.printed(messages));
    }
  }

  @Test
  void aSecondConnectionWithTheSameSessionTakesOver() {
    try (var first = server.connect(kernel, "s")) {
      first.run("x = 5");
      try (var second = server.connect(kernel, "s")) {
        assertTrue(first.closed.join().startsWith("1008 another connection"), first.closed::join);
        assertEquals("5\n", second.printed("print(x)"));
      }
    }
  }

  @Test
  void whoComesLastHasThePlaceHoweverQuicklyTheyCome() {
    for (int i = 0; i < 50; i++) {
      try (var _ = server.connect(kernel, "s" + i);
          var second = server.connect(kernel, "s" + i)) {
        assertEquals("here\n", second.printed("print('here')"));
      }
    }
  }

  @Test
  void oneTakeoverAfterTheOtherLosesNothing() {
    var client = server.connect(kernel, "s");
    for (int i = 0; i < 20; i++) {
      client.execute("print('cell " + i + "')");
      var next = server.connect(kernel, "s");
      assertEquals("done\n", next.printed("print('done')"));
      client.close();
      client = next;
    }
    client.close();
  }

  @Test
  void withoutASessionIdNothingIsKept() {
    String id;
    try (var client = server.connect(kernel)) {
      id = client.execute("print('lost')");
    }
    try (var client = server.connect(kernel)) {
      var messages = client.run("print('new')");
      assertTrue(
          messages.stream()
              .noneMatch(m -> m.type().equals("execute_reply") && m.parentId().equals(id)));
    }
    Eventually.until(PATIENCE, () -> server.state.sessionCount() == 0, () -> "a session was kept");
  }

  @Test
  void sessionsOfOneIdOnTwoKernelsAreApart() {
    var other = server.kernel();
    try (var one = server.connect(kernel, "s");
        var two = server.connect(other, "s")) {
      one.run("x = 1");
      assertEquals("False\n", two.printed("print('x' in globals())"));
      assertEquals("1\n", one.printed("print(x)"));
    }
  }

  @Test
  void whoLeavesWhenTheKernelRestartsDoesNotHearOfTheRestartAgain() {
    try (var client = server.connect(kernel, "s")) {
      client.execute("import os; os._exit(1)");
      client.until(m -> m.status("restarting"));
    }
    try (var client = server.connect(kernel, "s")) {
      var messages = client.run("print(1)");
      assertTrue(messages.stream().noneMatch(m -> m.status("restarting")), messages::toString);
    }
  }

  @Test
  void clientsThatStayAwayAreForgotten() {
    server.close();
    server =
        new TestServer(
            TestServer.retention(Duration.ofMillis(200), 10, 1 << 20), husk.api.Gatekeeper.OPEN);
    kernel = server.kernel();
    server.connect(kernel, "s").close();
    Eventually.until(
        PATIENCE, () -> server.state.sessionCount() == 0, () -> "it is still remembered");
  }

  @Test
  void ofTooManyThatAreAwayTheOldestAreForgotten() {
    server.close();
    server =
        new TestServer(
            TestServer.retention(Duration.ofHours(1), 3, 1 << 20), husk.api.Gatekeeper.OPEN);
    kernel = server.kernel();
    for (int i = 0; i < 10; i++) {
      server.connect(kernel, "s" + i).close();
    }
    Eventually.until(
        PATIENCE,
        () -> server.state.sessionCount() == 3,
        () -> server.state.sessionCount() + " are remembered");
  }
}
