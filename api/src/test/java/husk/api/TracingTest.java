package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Traces arrive at a collector.
@ExtendWith(LeakDetector.class)
final class TracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final ApiServer server = new ApiServer();
  private final ConcurrentLinkedQueue<byte[]> received = new ConcurrentLinkedQueue<>();
  private HttpServer collector = start();

  private HttpServer start() {
    try {
      collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return collector;
  }

  @BeforeEach
  void collect() {
    collector.createContext(
        "/v1/traces",
        exchange -> {
          var encoding = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Encoding"));
          assertThat(encoding).isNotEqualTo("gzip");
          received.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void close() {
    server.close();
    collector.stop(0);
  }

  @Test
  void requestAndItsExecutionAreSpansOfTheCallersTrace() {
    var endpoint = "http://127.0.0.1:" + collector.getAddress().getPort();
    var spec =
        Map.of("port", 0, "client", server.clientWith(Map.of("HUSK_OTLP_ENDPOINT", endpoint)));
    var listener = server.overSocket("POST", "/listeners", Json.text(spec)).json();
    var answer =
        server.sendTo(
            listener.path("port").asInt(),
            "POST",
            "/sessions/s/execute",
            "{\"code\":\"1\",\"options\":" + ApiServer.marked() + "}",
            "traceparent",
            "00-" + TRACE + "-00f067aa0ba902b7-01");
    assertThat(answer.status()).isEqualTo(200);
    // Closing sends what was not sent yet.
    server.overSocket("DELETE", "/listeners/" + listener.path("id").asString(), "");
    Eventually.until(Duration.ofSeconds(30), () -> !received.isEmpty(), () -> "no spans");
    var spans = new StringBuilder();
    received.forEach(bytes -> spans.append(new String(bytes, StandardCharsets.ISO_8859_1)));
    assertThat(spans)
        .contains("POST /sessions/{name}/execute")
        .contains("execute")
        .contains("husk.execution_id")
        .contains(
            new String(java.util.HexFormat.of().parseHex(TRACE), StandardCharsets.ISO_8859_1));
  }
}
