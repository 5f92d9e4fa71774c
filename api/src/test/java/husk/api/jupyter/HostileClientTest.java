package husk.api.jupyter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that are broken, or mean harm. After each of them the kernel and the server go on.
@ExtendWith(LeakDetector.class)
final class HostileClientTest {
  private static final String GOOD_HEADER =
      "\"header\": {\"msg_id\": \"1\", \"msg_type\": \"kernel_info_request\"}";

  private static TestServer server;
  private static String kernel;

  @BeforeAll
  static void start() {
    server =
        new TestServer(
            JupyterState.Retention.DEFAULT,
            (path, query, headers) ->
                query.first("token").filter("wrong"::equals).isPresent()
                    ? Optional.of(
                        new Problem(Problem.Code.UNAUTHENTICATED, "the token is not known"))
                    : Optional.empty());
    kernel = server.kernel();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void everythingGoesOn() {
    try (var client = server.connect(kernel)) {
      assertEquals("2\n", client.printed("print(1 + 1)"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no json",
        "[]",
        "null",
        "42",
        "{}",
        "{\"header\": null}",
        "{\"header\": []}",
        "{\"header\": \"x\"}",
        "{\"header\": {}}",
        "{\"header\": {\"msg_id\": 1, \"msg_type\": \"x\"}}",
        "{\"header\": {\"msg_id\": \"1\", \"msg_type\": null}}",
        "{" + GOOD_HEADER + "} {}",
        "{" + GOOD_HEADER + ", \"content\": {\"a\": NaN}}",
        "{" + GOOD_HEADER + ", \"content\": {\"a\": ",
      })
  void textThatIsNoMessageIsRefused(String text) throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.text(text);
      assertEquals(CloseReason.NOT_CONSISTENT, client.awaitClose());
    }
  }

  @Test
  void nestingWithoutEndIsRefused() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.text("{" + GOOD_HEADER + ", \"content\": {\"a\": " + "[".repeat(1_000_000));
      assertEquals(CloseReason.NOT_CONSISTENT, client.awaitClose());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"iopub", "hb", "heartbeat", "SHELL", "", "../../etc/passwd"})
  void aChannelThatIsNoneIsRefused(String channel) throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.text("{" + GOOD_HEADER + ", \"channel\": " + Json.text(channel) + "}");
      assertEquals(CloseReason.POLICY, client.awaitClose());
    }
  }

  @Test
  void fieldsOfWrongTypesAreTakenForEmptyOnesAndAnswered() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.text(
          "{"
              + GOOD_HEADER
              + ", \"parent_header\": 1, \"metadata\": [], \"content\": null, \"buffers\": 7}");
      while (!client.read().orElseThrow().text().contains("kernel_info_reply")) {
        // busy and idle
      }
    }
  }

  static List<byte[]> brokenBinary() {
    return List.of(
        new byte[0],
        new byte[] {1},
        ints(0),
        ints(-1),
        ints(Integer.MAX_VALUE, 8),
        ints(1 << 30, 8),
        ints(1),
        ints(1, 4),
        ints(1, 1000),
        ints(1, -5),
        ints(2, 12, 4),
        ints(2, 12, 1 << 30),
        ints(1, 8));
  }

  private static byte[] ints(int... values) {
    var bytes = ByteBuffer.allocate(4 * values.length);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  @ParameterizedTest
  @MethodSource("brokenBinary")
  void brokenOffsetsAreRefused(byte[] payload) throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.frame(0x82, payload);
      assertEquals(CloseReason.NOT_CONSISTENT, client.awaitClose());
    }
  }

  static List<byte[]> brokenV1() {
    var good = Json.text(java.util.Map.of("msg_id", "1", "msg_type", "kernel_info_request"));
    return List.of(
        new byte[0],
        new byte[7],
        longs(0),
        longs(-1),
        longs(Long.MAX_VALUE, 8),
        longs(6, 56, 61, 70, 80, 90),
        longs(6, 56, 61, 1L << 40, 80, 90, 100),
        longs(6, 56, 50, 40, 30, 20, 10),
        longs(6, -8, 61, 70, 80, 90, 100),
        longs(6, 0, 0, 0, 0, 0, 0),
        longs(5, 48, 48, 48, 48, 48),
        v1("shell", "", "{}", "{}", "{}"),
        v1("shell", "[]", "{}", "{}", "{}"),
        v1("shell", good, "[]", "{}", "{}"),
        v1("shell", good, "{}", "x", "{}"),
        v1("shell", good, "{}", "{}", "{\"a\": "));
  }

  private static byte[] longs(long... values) {
    var bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  private static byte[] v1(String... pieces) {
    var head = ByteBuffer.allocate(8 * (2 + pieces.length)).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(pieces.length + 1);
    long at = head.capacity();
    var body = new StringBuilder();
    for (var piece : pieces) {
      head.putLong(at);
      at += piece.length();
      body.append(piece);
    }
    head.putLong(at);
    return ByteBuffer.allocate((int) at)
        .put(head.array())
        .put(body.toString().getBytes(UTF_8))
        .array();
  }

  @ParameterizedTest
  @MethodSource("brokenV1")
  void brokenMessagesOfTheNewerSubProtocolAreRefused(byte[] payload) {
    try (var client = server.connectV1(kernel, "hostile")) {
      client.sendBinary(payload);
      assertTrue(client.closed.join().startsWith("1007"), client.closed::join);
    }
  }

  @Test
  void textInTheNewerSubProtocolIsRefused() {
    try (var client = server.connectV1(kernel, "hostile")) {
      client.sendText("{}");
      assertTrue(client.closed.join().startsWith("1003"), client.closed::join);
    }
  }

  @Test
  void tooManyBuffersAreRefused() {
    try (var client = server.connect(kernel, "hostile")) {
      client.send(
          "shell",
          "comm_msg",
          Json.MAPPER.createObjectNode(),
          java.util.Collections.nCopies(5000, new byte[0]));
      assertTrue(client.closed.join().startsWith("1008"), client.closed::join);
    }
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.frame(0x81, new byte[] {'{', (byte) 0xff, '}'});
      assertEquals(CloseReason.NOT_CONSISTENT, client.awaitClose());
    }
  }

  @Test
  void framesOutOfPlaceAreRefused() throws IOException {
    for (int first : new int[] {0x80, 0x00, 0x83, 0x8b, 0xc1, 0x91, 0x09}) {
      try (var client = new RawClient(server, kernel, "", 0)) {
        client.frame(first, new byte[0]);
        assertEquals(CloseReason.PROTOCOL_ERROR, client.awaitClose(), "for " + first);
      }
    }
  }

  @Test
  void framesWithoutAMaskAreRefused() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.write(new byte[] {(byte) 0x81, 2, '{', '}'});
      assertEquals(CloseReason.PROTOCOL_ERROR, client.awaitClose());
    }
  }

  @Test
  void announcedSizesCostNothingAndBeyondTheLimitAreRefused() throws IOException {
    for (long size : new long[] {65L << 20, Long.MAX_VALUE, -1}) {
      try (var client = new RawClient(server, kernel, "", 0)) {
        client.write(new byte[] {(byte) 0x82, (byte) 0xff});
        client.write(ByteBuffer.allocate(12).putLong(size).array());
        assertEquals(CloseReason.TOO_BIG, client.awaitClose(), "for " + size);
      }
    }
    for (int i = 0; i < 50; i++) {
      try (var client = new RawClient(server, kernel, "", 0)) {
        client.write(new byte[] {(byte) 0x82, (byte) 0xff});
        client.write(ByteBuffer.allocate(12).putLong(64L << 20).array());
      }
    }
    assertEquals(0, server.state.budget().taken());
  }

  @Test
  void fragmentsThatBreakCharactersApartArePutTogether() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      var content = Json.MAPPER.createObjectNode().put("code", "print('äöü€😀')");
      content.put("allow_stdin", false);
      var message =
          "{\"header\": {\"msg_id\": \"1\", \"msg_type\": \"execute_request\"}, \"content\": "
              + content
              + "}";
      client.fragments(message.getBytes(UTF_8), new Random(5));
      var heard = new StringBuilder();
      // The reply and what was printed come on different channels, in any order.
      while (!heard.toString().contains("execute_reply")
          || !heard.toString().contains("\"idle\"")) {
        heard.append(client.read().orElseThrow().text());
      }
      assertTrue(
          heard.toString().contains("äöü€😀\\n")
              || heard.toString().contains("\\u00e4\\u00f6\\u00fc\\u20ac\\ud83d\\ude00\\n"),
          heard::toString);
    }
  }

  @Test
  void pingsAreAnsweredWhileACellRuns() throws IOException {
    try (var client = new RawClient(server, kernel, "", 0)) {
      client.text(
          "{\"header\": {\"msg_id\": \"1\", \"msg_type\": \"execute_request\"}, \"content\":"
              + " {\"code\": \"import time; time.sleep(1)\"}}");
      client.frame(0x89, "here?".getBytes(UTF_8));
      var frame = client.read().orElseThrow();
      while (frame.code() != 10) {
        frame = client.read().orElseThrow();
      }
      assertEquals("here?", frame.text());
    }
  }

  @Test
  void pongsThatAnswerNothingConfirmNothing() throws IOException {
    try (var client = server.connect(kernel, "liar")) {
      client.run("pass");
      client.raw.frame(0x8a, ByteBuffer.allocate(8).putLong(Long.MAX_VALUE).array());
      client.raw.frame(0x8a, ByteBuffer.allocate(8).putLong(-1).array());
      client.raw.frame(0x8a, new byte[] {1});
      assertEquals("1\n", client.printed("print(1)"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%00", "a%20b", "..%2F..%2Fetc", "%F0%9F%98%80", "'%3B%20DROP%20TABLE", ""})
  void sessionIdsMayBeAnything(String id) {
    try (var client = server.connect(kernel, id)) {
      assertEquals("1\n", client.printed("print(1)"));
    }
  }

  @Test
  void aSessionIdWithoutEndIsRefused() {
    assertEquals(400, refused(kernel, "?session_id=" + "x".repeat(1000)));
  }

  @Test
  void whoMayNotComeInIsToldByItsStatus() {
    assertEquals(401, refused(kernel, "?token=wrong"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000-0000-0000-0000-000000000000", "nobody", "%2e%2e", "%00"})
  void aKernelThatIsNotThereIsNotFound(String id) {
    assertEquals(404, refused(id, ""));
  }

  private static int refused(String id, String query) {
    try {
      server
          .http
          .newWebSocketBuilder()
          .buildAsync(
              URI.create(
                  "ws://127.0.0.1:" + server.port() + "/api/kernels/" + id + "/channels" + query),
              new java.net.http.WebSocket.Listener() {})
          .join()
          .abort();
      return 101;
    } catch (CompletionException e) {
      return e.getCause() instanceof WebSocketHandshakeException refusal
          ? refusal.getResponse().statusCode()
          : -1;
    }
  }
}
