package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.model.Ids;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client and a kernel say to each other over a WebSocket.
@ExtendWith(LeakDetector.class)
final class ChannelsTest {
  /// Sends back what comes with a comm message, and how much it was.
  private static final String ECHO =
      """
      def opened(comm, message):
          def echo(m):
              comm.send({'sizes': [len(b) for b in m['buffers']]}, buffers=m['buffers'])
          comm.on_msg(echo)
      get_ipython().kernel.comm_manager.register_target('echo', opened)
      """;

  private TestServer server;

  @BeforeEach
  void start() {
    server = new TestServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Client connect(boolean v1) {
    var kernel = server.kernel();
    return v1 ? server.connectV1(kernel, "s") : server.connect(kernel, "s");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCellIsHeardFromBusyToReply(boolean v1) {
    try (var client = connect(v1)) {
      var types = client.run("print('hello'); 6 * 7").stream().map(Received::type).toList();
      assertEquals(
          List.of("status", "execute_input", "stream", "execute_result", "status", "execute_reply"),
          types);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buffersPassBothWaysAsTheyAre(boolean v1) {
    var first = new byte[1000];
    new Random(1).nextBytes(first);
    var second = new byte[0];
    try (var client = connect(v1)) {
      client.run(ECHO);
      var echoed = echo(client, List.of(first, second));
      assertEquals("[1000,0]", echoed.content().path("data").path("sizes").toString());
      assertEquals(2, echoed.buffers().size());
      assertArrayEquals(first, echoed.buffers().getFirst());
      assertArrayEquals(second, echoed.buffers().getLast());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesOfTwelveMebibytesPassBothWays(boolean v1) {
    var large = new byte[12 << 20];
    new Random(2).nextBytes(large);
    try (var client = connect(v1)) {
      client.run(ECHO);
      assertArrayEquals(large, echo(client, List.of(large)).buffers().getFirst());
      var code = "len('" + "ä".repeat(6 << 20) + "')";
      assertEquals("6291456", result(client.run(code)));
      var value = result(client.run("'ö' * (6 << 20)"));
      assertEquals((6 << 20) + 2, value.length());
      assertEquals("'ö", value.substring(0, 2));
    }
  }

  private static Received echo(Client client, List<byte[]> buffers) {
    var id = Ids.fresh();
    var open = Json.MAPPER.createObjectNode().put("comm_id", id).put("target_name", "echo");
    open.putObject("data");
    client.send("shell", "comm_open", open, List.of());
    var message = Json.MAPPER.createObjectNode().put("comm_id", id);
    message.putObject("data");
    client.send("shell", "comm_msg", message, buffers);
    return client.until(m -> m.type().equals("comm_msg")).getLast();
  }

  private static String result(List<Received> messages) {
    return messages.stream()
        .filter(m -> m.type().equals("execute_result"))
        .map(m -> m.content().path("data").path("text/plain").asString())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no result among " + messages));
  }

  @Test
  void theReplyComesAfterAllOutputAndIdle() {
    try (var client = connect(false)) {
      for (int i = 0; i < 50; i++) {
        var messages = client.run("print('x' * 100000)\nprint('end')");
        var last = messages.get(messages.size() - 2);
        assertTrue(last.status("idle"), () -> "before the reply came " + last);
        assertTrue(Client.printed(messages).endsWith("end\n"));
      }
    }
  }

  @Test
  void everyClientHearsEverythingAndEachItsOwnReplies() {
    var kernel = server.kernel();
    try (var one = server.connect(kernel, "one");
        var two = server.connectV1(kernel, "two");
        var three = server.connect(kernel)) {
      // They are counted once they are served, a moment after they were let in.
      Eventually.until(
          Duration.ofSeconds(20),
          () -> server.get("/api/kernels/" + kernel).body().path("connections").asInt() == 3,
          () -> server.get("/api/kernels/" + kernel).body().toString());
      var id = one.execute("print('for all')");
      for (var client : List.of(one, two, three)) {
        var heard = client.until(m -> m.status("idle") && m.parentId().equals(id));
        assertEquals("for all\n", Client.printed(heard));
      }
      assertEquals("execute_reply", one.next().type());
      assertEquals("2\n", two.printed("print(1 + 1)"));
      one.until(m -> m.status("idle"));
      assertTrue(one.quiet(), "a client got another's reply");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void inputIsAskedOfTheClientWhoseCodeAsks(boolean v1) {
    var kernel = server.kernel();
    try (var other = server.connect(kernel, "other");
        var client = v1 ? server.connectV1(kernel, "s") : server.connect(kernel, "s")) {
      other.run("pass");
      var id = client.execute("print('Hello ' + input('name? '))", true);
      var asked = client.until(m -> m.type().equals("input_request")).getLast();
      assertEquals("stdin", asked.channel());
      assertEquals("name? ", asked.content().path("prompt").asString());
      client.send(
          "stdin", "input_reply", Json.MAPPER.createObjectNode().put("value", "Ada"), List.of());
      var rest = client.until(m -> m.type().equals("execute_reply"));
      assertEquals("Hello Ada\n", Client.printed(rest));
      var heard = other.until(m -> m.status("idle") && m.parentId().equals(id));
      assertTrue(heard.stream().noneMatch(m -> m.type().equals("input_request")));
    }
  }

  @Test
  void codeThatMayNotAskGetsAnErrorAndNobodyIsAsked() {
    try (var client = connect(false)) {
      var messages = client.run("input('name? ')");
      assertTrue(messages.stream().anyMatch(m -> m.type().equals("error")), messages::toString);
      assertTrue(messages.stream().noneMatch(m -> m.type().equals("input_request")));
    }
  }

  @Test
  void aRunningCellIsInterruptedThroughRest() {
    var kernel = server.kernel();
    try (var client = server.connect(kernel, "s")) {
      var id = client.execute("print('begun', flush=True)\nwhile True: pass");
      client.until(m -> m.type().equals("stream"));
      assertEquals(204, server.post("/api/kernels/" + kernel + "/interrupt", "").status());
      assertInterrupted(client, id);
    }
  }

  @Test
  void aRunningCellIsInterruptedThroughTheControlChannelBehindWaitingRequests() {
    try (var client = connect(false)) {
      var id = client.execute("print('begun', flush=True)\nwhile True: pass");
      for (int i = 0; i < 2000; i++) {
        client.send("shell", "comm_msg", Json.MAPPER.createObjectNode(), List.of());
      }
      client.until(m -> m.type().equals("stream"));
      client.send("control", "interrupt_request", Json.MAPPER.createObjectNode(), List.of());
      assertInterrupted(client, id);
    }
  }

  private static void assertInterrupted(Client client, String id) {
    var messages = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
    assertEquals("KeyboardInterrupt", messages.getLast().content().path("ename").asString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsNotUtf8IsRepaired(boolean v1) {
    try (var client = connect(v1)) {
      var messages =
          client.run(
              """
              kernel = get_ipython().kernel
              frames = kernel.session.frames('stream', {'name': 'stdout', 'text': 'BAD'})
              content = frames[-1].replace(b'BAD', b'caf\\xe9')
              parts = frames[1:-1] + [content]
              kernel.iopub._socket.send_multipart(
                  [b'stream', b'<IDS|MSG>', kernel.session._sign(parts)] + parts)
              """);
      assertEquals("caf\ufffd", Client.printed(messages), messages::toString);
    }
  }

  @Test
  void anIpykernelIsSpokenToTheSameWay() {
    var specs = server.home.path().resolve("jupyter/kernels/stock");
    Specs.ipykernel(specs);
    var kernel = server.post("/api/kernels", "{\"name\": \"stock\"}").body();
    assertEquals("stock", kernel.path("name").asString());
    try (var client = server.connect(kernel.path("id").asString(), "s")) {
      assertEquals("3\n", client.printed("print(1 + 2)"));
      var id = client.execute("print(input())", true);
      client.until(m -> m.type().equals("input_request"));
      client.send(
          "stdin", "input_reply", Json.MAPPER.createObjectNode().put("value", "yes"), List.of());
      var rest = client.until(m -> m.type().equals("execute_reply") && m.parentId().equals(id));
      assertEquals("yes\n", Client.printed(rest));
    }
  }
}
