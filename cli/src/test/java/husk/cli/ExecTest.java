package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.local.Frame.Kind;
import husk.local.Frames;
import husk.testkit.LeakDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(30)
final class ExecTest {
  private static final String FAILED =
      "{\"status\":\"error\",\"error\":{\"ename\":\"E\",\"evalue\":\"x\","
          + "\"traceback\":[\"Traceback:\",\"E: x\"]}}";

  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  /// Frames in chunks, cut after `length` bytes if that is not negative.
  private static byte[] frames(int length, Object... kindsAndTexts) {
    var frames = new ByteArrayOutputStream();
    try {
      for (int i = 0; i < kindsAndTexts.length; i += 2) {
        Frames.write(frames, (Kind) kindsAndTexts[i], (String) kindsAndTexts[i + 1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] payload = frames.toByteArray();
    var answer = new ByteArrayOutputStream();
    answer.writeBytes(
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(payload.length)
                + "\r\n")
            .getBytes(StandardCharsets.UTF_8));
    answer.writeBytes(length < 0 ? payload : Arrays.copyOf(payload, length));
    if (length < 0) {
      answer.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    }
    return answer.toByteArray();
  }

  private static final byte[] UNKNOWN =
      FakeDaemon.answer("404 Not Found", "Husk-Problem: execution_not_found\r\n", "{}");

  @Test
  void theResultIsPrintedAndItsStatusDecides() throws IOException {
    try (var _ = calls.daemon(_ -> FakeDaemon.json("Husk-Status: success\r\n", "{\"x\":1}"))) {
      assertThat(calls.husk("exec", "--name", "a", "1")).isZero();
      assertThat(calls.out()).isEqualTo("{\"x\":1}\n");
    }
    try (var _ = calls.daemon(_ -> FakeDaemon.json("Husk-Status: timeout\r\n", "{\"x\":1}"))) {
      assertThat(calls.husk("exec", "--name", "a", "1")).isEqualTo(1);
      assertThat(calls.out()).isEqualTo("{\"x\":1}\n");
    }
  }

  @Test
  void aDaemonLostMidwayIsNotNoticed() throws IOException {
    var count = new AtomicInteger();
    try (var daemon =
        calls.daemon(
            request ->
                request.startsWith("GET /executions/") && count.incrementAndGet() > 1
                    ? FakeDaemon.json("Husk-Status: success\r\n", "{\"x\":1}")
                    : new byte[0])) {
      assertThat(calls.husk("exec", "--name", "a", "1")).as(calls.err()).isZero();
      assertThat(calls.out()).isEqualTo("{\"x\":1}\n");
      var id = daemon.requests.get(0).replaceAll("(?s).*\"execution_id\":\"(\\w+)\".*", "$1");
      assertThat(daemon.requests.get(1)).startsWith("GET /executions/" + id + "?wait=1&pretty=1 ");
    }
  }

  @Test
  void anExecutionTheNextDaemonDoesNotKnowHasNotBegunAndIsSentAgain() throws IOException {
    var posts = new AtomicInteger();
    try (var daemon =
        calls.daemon(
            request -> {
              if (request.startsWith("GET")) {
                return UNKNOWN;
              }
              return posts.incrementAndGet() > 1
                  ? FakeDaemon.json("Husk-Status: success\r\n", "{\"x\":1}")
                  : new byte[0];
            })) {
      assertThat(calls.husk("exec", "--name", "a", "1")).as(calls.err()).isZero();
      assertThat(calls.out()).isEqualTo("{\"x\":1}\n");
      assertThat(daemon.requests).hasSize(3);
      assertThat(daemon.requests.get(2)).isEqualTo(daemon.requests.get(0));
    }
  }

  @Test
  void whatADaemonWithARegistryInMemoryHadBegunNobodyKnows() throws IOException {
    calls.environment.put("HUSK_STORE_BACKEND", "memory");
    try (var _ = calls.daemon(request -> request.startsWith("POST") ? new byte[0] : UNKNOWN)) {
      assertThat(calls.husk("exec", "--name", "a", "1")).isEqualTo(4);
      assertThat(calls.out()).isEmpty();
      assertThat(calls.err()).contains("may or may not have run");
    }
  }

  @Test
  void streamedOutputPassesThroughRaw() throws IOException {
    var answer =
        frames(
            -1,
            Kind.STDOUT,
            "é\r\u001b[1m",
            Kind.HEARTBEAT,
            "",
            Kind.EVENT,
            "{}",
            Kind.STDERR,
            "oh",
            Kind.STDOUT,
            "2\n",
            Kind.RESULT,
            "{\"status\":\"success\"}");
    try (var daemon = calls.daemon(_ -> answer)) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isZero();
      assertThat(calls.out()).isEqualTo("é\r\u001b[1m2\n");
      assertThat(calls.err()).isEqualTo("oh");
      assertThat(daemon.requests.getFirst())
          .startsWith("POST /kernels/a/execute?plain=1 ")
          .contains("Accept: application/vnd.husk.frames\r\n");
    }
  }

  @Test
  void streamedEventsAreOneLineOfJsonEach() throws IOException {
    var answer =
        frames(-1, Kind.EVENT, "{\"event\":\"started\"}", Kind.STDOUT, "a\nb", Kind.RESULT, FAILED);
    try (var daemon = calls.daemon(_ -> answer)) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "--json", "1")).isEqualTo(1);
      assertThat(calls.out())
          .isEqualTo(
              "{\"event\":\"started\"}\n"
                  + "{\"event\":\"stream\",\"name\":\"stdout\",\"text\":\"a\\nb\"}\n"
                  + "{\"event\":\"ended\",\"result\":"
                  + FAILED
                  + "}\n");
      assertThat(daemon.requests.getFirst()).startsWith("POST /kernels/a/execute HTTP");
    }
  }

  @Test
  void aFailureEndsWithItsTraceback() throws IOException {
    try (var _ = calls.daemon(_ -> frames(-1, Kind.STDOUT, "x", Kind.RESULT, FAILED))) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isEqualTo(1);
      assertThat(calls.err()).isEqualTo("Traceback:\nE: x\n");
    }
    try (var _ = calls.daemon(_ -> frames(-1, Kind.RESULT, "{\"status\":\"died\"}"))) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isEqualTo(1);
      assertThat(calls.err()).isEqualTo("error: the code did not succeed (died)\n");
    }
    var shell = "{\"status\":\"error\",\"exit_code\":3}";
    try (var _ = calls.daemon(_ -> frames(-1, Kind.STDERR, "no\n", Kind.RESULT, shell))) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "--bash", "x")).isEqualTo(1);
      assertThat(calls.err()).isEqualTo("no\n");
    }
  }

  @Test
  void aProblemInTheStreamHasItsExitCode() throws IOException {
    var problem =
        "{\"error\":{\"code\":\"kernel_start_failed\",\"message\":\"m\",\"remedies\":[\"r\"]}}";
    try (var _ = calls.daemon(_ -> frames(-1, Kind.PROBLEM, problem))) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isEqualTo(4);
      assertThat(calls.err()).isEqualTo("error: m\n\nhint: r\n");
    }
    try (var _ = calls.daemon(_ -> FakeDaemon.answer("404 Not Found", "", problem))) {
      assertThat(calls.husk("exec", "--id", "a", "--stream", "1")).isEqualTo(4);
      assertThat(calls.err()).isEqualTo("error: m\n\nhint: r\n");
    }
  }

  @Test
  void aStreamThatBreaksOffIsCompletedFromTheResult() throws IOException {
    var result =
        "{\n"
            + "  \"output\": \"one\\n"
            + "two\\n"
            + "\",\n"
            + "  \"return_value\": \"3\",\n"
            + "  \"status\": \"success\"\n"
            + "}\n";
    try (var _ =
        calls.daemon(
            request ->
                request.startsWith("POST")
                    ? frames(9 + 3, Kind.STDOUT, "one\n", Kind.STDOUT, "two\n")
                    : FakeDaemon.json("Husk-Status: success\r\n", result))) {
      assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isZero();
      assertThat(calls.out()).isEqualTo("one\ntwo\n3\n");
      assertThat(calls.husk("exec", "--name", "a", "--stream", "--json", "1")).isZero();
      assertThat(calls.out().lines().toList().getLast())
          .startsWith("{\"event\":\"ended\",\"result\":{  \"output\": \"one\\ntwo\\n\",");
    }
  }

  @Test
  void whatWasDisplayedIsNotTakenForOutputWhenAStreamBreaksOff() throws IOException {
    var display = "{\"event\":\"display\",\"item\":{\"kind\":\"%s\",\"text\":\"[x]\"}}";
    var result = "{\"output\":\"one\\ntwo\\n\",\"return_value\":\"[x]\",\"status\":\"success\"}";
    for (String kind : new String[] {"display_data", "execute_result"}) {
      try (var _ =
          calls.daemon(
              request ->
                  request.startsWith("POST")
                      ? frames(
                          -1,
                          Kind.STDOUT,
                          "one\n",
                          Kind.EVENT,
                          display.replace("%s", kind),
                          Kind.STDOUT,
                          "[x]\n")
                      : FakeDaemon.json("Husk-Status: success\r\n", result))) {
        assertThat(calls.husk("exec", "--name", "a", "--stream", "1")).isZero();
        var value = kind.equals("execute_result") ? "" : "[x]\n";
        assertThat(calls.out()).isEqualTo("one\n[x]\ntwo\n" + value);
      }
    }
  }

  @Test
  void aReaderWhoLeavesCancelsTheExecution() throws IOException {
    try (var daemon =
        calls.daemon(
            request ->
                request.startsWith("POST")
                    ? frames(-1, Kind.STDOUT, "one\n", Kind.STDOUT, "two\n")
                    : FakeDaemon.json("", "{\"cancelled\":true}"))) {
      var gone =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("Broken pipe");
            }
          };
      assertThat(calls.husk(gone, "exec", "--name", "a", "--stream", "1")).isEqualTo(141);
      assertThat(daemon.requests.getLast()).startsWith("DELETE /executions/");
    }
  }

  @Test
  void setupShowsItsProgressAndThenSucceeds() throws IOException {
    var answer = frames(-1, Kind.STDOUT, "fetching\n", Kind.RESULT, "{\"python\":\"/p\"}");
    try (var _ = calls.daemon(_ -> answer)) {
      assertThat(calls.husk("setup")).isZero();
      assertThat(calls.out()).isEqualTo("fetching\n");
      assertThat(calls.husk("setup", "--json")).isZero();
      assertThat(calls.out()).isEqualTo("{\"python\":\"/p\"}\n");
      assertThat(calls.err()).isEqualTo("fetching\n");
    }
    try (var _ = calls.daemon(_ -> frames(-1, Kind.STDOUT, "fetching\n"))) {
      assertThat(calls.husk("setup")).isEqualTo(4);
    }
  }
}
