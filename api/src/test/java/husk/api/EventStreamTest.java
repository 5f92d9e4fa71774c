package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// Executions as server-sent events.
@ExtendWith(LeakDetector.class)
final class EventStreamTest {
  private final ApiServer server = new ApiServer();

  @BeforeEach
  void makeKernel() {
    assertThat(server.post("/kernels", ApiServer.marked("\"name\":\"k\"")).status()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private record Event(String id, String name, JsonNode data) {}

  private List<Event> stream(String code, String... headers) {
    var all = new ArrayList<>(List.of("Accept", "text/event-stream"));
    all.addAll(List.of(headers));
    var answer =
        server.send(
            "POST",
            "/kernels/k/execute",
            Json.text(Map.of("code", code, "output_limit", 100)),
            "application/json",
            all.toArray(String[]::new));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.header("content-type")).isEqualTo("text/event-stream");
    return events(answer.body());
  }

  private static List<Event> events(String text) {
    var events = new ArrayList<Event>();
    for (var block : text.split("\n\n")) {
      var fields = block.lines().filter(line -> !line.startsWith(":")).toList();
      if (fields.size() == 3) {
        events.add(
            new Event(
                fields.get(0).substring("id: ".length()),
                fields.get(1).substring("event: ".length()),
                Json.tree(
                    fields.get(2).substring("data: ".length()).getBytes(StandardCharsets.UTF_8))));
      }
    }
    return events;
  }

  private static List<String> names(List<Event> events) {
    return events.stream().map(Event::name).toList();
  }

  @Test
  void eventsComeInTheOrderTheyHappened() {
    var events =
        stream("print('a')\ndisplay(1)\nimport sys\nprint('b', file=sys.stderr, flush=True)\n'v'");
    assertThat(names(events))
        .containsExactly("started", "stream", "display", "stream", "result", "done");
    assertThat(events.get(1).data().path("text").asString()).isEqualTo("a\n");
    assertThat(events.get(4).data().path("text").asString()).isEqualTo("'v'");
    assertThat(events.getLast().data().path("status").asString()).isEqualTo("success");
    assertThat(events.getLast().data().path("return_value").asString()).isEqualTo("'v'");
  }

  @Test
  void errorIsAnEventOfItsOwn() {
    var events = stream("print('before')\n1/0");
    assertThat(names(events)).containsExactly("started", "stream", "error", "done");
    assertThat(events.get(2).data().path("ename").asString()).isEqualTo("ZeroDivisionError");
  }

  @Test
  void refusalBeforeTheFirstEventIsAnOrdinaryAnswer() {
    var answer =
        server.send(
            "POST",
            "/kernels/nobody/execute",
            "{\"code\":\"1\"}",
            "application/json",
            "Accept",
            "text/event-stream");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("content-type")).startsWith("application/json");
  }

  @Test
  void whoeverSawAnEventGoesOnAfterItAndNothingRunsTwice() {
    var all = stream("n = globals().get('n', 0) + 1\nfor i in range(5): display(i)\nn");
    var third = all.get(2);
    var rest = stream("never run", "Last-Event-ID", third.id());
    assertThat(rest).isEqualTo(all.subList(3, all.size()));
    assertThat(rest.getLast().data().path("return_value").asString()).isEqualTo("1");
    var attached = server.send("GET", "/executions/" + execution(third) + "/events", "", "");
    assertThat(events(attached.body())).isEqualTo(all);
  }

  private static String execution(Event event) {
    return event.id().substring(0, 32);
  }

  @Test
  void whoeverComesToAnExecutionThatWasNotStreamedGetsItsResult() {
    var result = server.post("/kernels/k/execute", "{\"code\":\"6*7\"}").json();
    var id = result.path("execution_id").asString();
    var late = events(server.get("/executions/" + id + "/events").body());
    assertThat(names(late)).containsExactly("done");
    assertThat(late.getFirst().data().path("return_value").asString()).isEqualTo("42");
    var lost = stream("never run", "Last-Event-ID", id + "-3");
    assertThat(names(lost)).containsExactly("gap", "done");
    assertThat(server.get("/executions/" + "0".repeat(32) + "/events").status()).isEqualTo(404);
  }

  @Test
  void allOfALargeOutputArrivesInOrder() {
    var events = stream("for i in range(200000): print(i)");
    var text = new StringBuilder();
    events.stream()
        .filter(event -> event.name().equals("stream"))
        .forEach(event -> text.append(event.data().path("text").asString()));
    var wanted = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      wanted.append(i).append('\n');
    }
    assertThat(text.toString().equals(wanted.toString())).isTrue();
    assertThat(events.getLast().data().path("truncated").asBoolean()).isTrue();
  }

  @Test
  void executionOutlivesTheCallerWhoLeaves() throws Exception {
    var id = leaveDuring("import time\nprint('on', flush=True)\ntime.sleep(2)\n'survived'", false);
    var events = events(server.get("/executions/" + id + "/events").body());
    assertThat(events.getLast().data().path("return_value").asString()).isEqualTo("'survived'");
  }

  @Test
  void executionThatOnlyTheCallerWaitsForIsCancelledWhenItLeaves() throws Exception {
    var id = leaveDuring("import time\nprint('on', flush=True)\ntime.sleep(600)", true);
    Eventually.until(
        Duration.ofSeconds(60),
        () -> server.get("/executions/" + id).body().contains("\"status\":\"cancelled\""),
        () -> "it still runs");
  }

  @Test
  void executionThatSomebodyElseReadsGoesOnWhenTheCallerLeaves() throws Exception {
    var code = "import time\nprint('on', flush=True)\ntime.sleep(5)\n'read'";
    var reader = new ArrayList<Thread>();
    var events = new ArrayList<Event>();
    leaveDuring(
        code,
        true,
        id -> {
          var attached =
              Thread.ofVirtual()
                  .start(
                      () -> {
                        var all = events(server.get("/executions/" + id + "/events").body());
                        synchronized (events) {
                          events.addAll(all);
                        }
                      });
          reader.add(attached);
          Eventually.until(
              Duration.ofSeconds(30), () -> attached.getState() != Thread.State.NEW, () -> "");
          pause(1000);
        });
    reader.getFirst().join();
    assertThat(events.getLast().data().path("return_value").asString()).isEqualTo("'read'");
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void plainExecutionIsCancelledTooWhenItsCallerLeaves() throws Exception {
    var id = husk.model.Ids.fresh();
    var body =
        Json.text(
            Map.of(
                "code",
                "import time; time.sleep(600)",
                "execution_id",
                id,
                "cancel_on_disconnect",
                true));
    try (var socket = request("application/json", body)) {
      Eventually.until(
          Duration.ofSeconds(60),
          () -> server.get("/executions/" + id).status() == 202,
          () -> "it does not begin");
      assertThat(socket.isConnected()).isTrue();
    }
    Eventually.until(
        Duration.ofSeconds(60),
        () -> server.get("/executions/" + id).body().contains("\"status\":\"cancelled\""),
        () -> "it still runs");
  }

  private String leaveDuring(String code, boolean cancel) throws IOException {
    return leaveDuring(code, cancel, _ -> {});
  }

  /// Begins an execution, hangs up once it has printed something, and gives its id.
  private String leaveDuring(
      String code, boolean cancel, java.util.function.Consumer<String> meanwhile)
      throws IOException {
    var body = Json.text(Map.of("code", code, "cancel_on_disconnect", cancel));
    try (var socket = request("text/event-stream", body)) {
      var lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      var id = "";
      for (var line = lines.readLine(); !line.equals("event: stream"); line = lines.readLine()) {
        id = line.startsWith("id: ") ? line.substring(4, 36) : id;
      }
      meanwhile.accept(id);
      return id;
    }
  }

  private Socket request(String accept, String body) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(60_000);
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var head =
        "POST /kernels/k/execute HTTP/1.1\r\nHost: localhost\r\nAccept: "
            + accept
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + bytes.length
            + "\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().write(bytes);
    return socket;
  }
}
