package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.testkit.TempHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The client that agents use most, against the JDK's own server.
@ExtendWith(LeakDetector.class)
@Timeout(240)
final class CurlTest {
  private static final Path CURL = Path.of("/usr/bin/curl");

  private Sandbox sandbox;
  private Bridge bridge;
  private HttpServer server;

  @BeforeEach
  void open() throws IOException {
    Requirements.need(Files.isExecutable(CURL), "curl");
    server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 10);
    server.createContext(
        "/",
        exchange -> {
          var body = exchange.getRequestBody().readAllBytes();
          var text =
              "%s %s %d"
                  .formatted(exchange.getRequestMethod(), exchange.getRequestURI(), body.length);
          exchange.sendResponseHeaders(200, 0);
          try (var out = exchange.getResponseBody()) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
          }
        });
    server.start();
    sandbox = Sandbox.allowing("good.example", "127.0.0.1").name("good.example", "127.0.0.1");
    bridge = Bridge.to(sandbox.socket());
  }

  @AfterEach
  void close() throws IOException {
    bridge.close();
    sandbox.close();
    server.stop(0);
  }

  private String url(String host) {
    return "http://%s:%d/x".formatted(host, server.getAddress().getPort());
  }

  private String curl(String scheme, String... arguments) throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of(CURL.toString(), "-sS", "--max-time", "60", "--noproxy", ""));
    command.addAll(List.of("--proxy", "%s://127.0.0.1:%d".formatted(scheme, bridge.port())));
    command.addAll(List.of(arguments));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }

  @Test
  void fetchesOverHttpTunnelAndSocks() throws Exception {
    assertThat(curl("http", url("good.example"))).isEqualTo("GET /x 0");
    assertThat(curl("http", "--proxytunnel", url("good.example"))).isEqualTo("GET /x 0");
    assertThat(curl("socks5h", url("good.example"))).isEqualTo("GET /x 0");
    assertThat(curl("socks5", url("127.0.0.1"))).isEqualTo("GET /x 0");
    assertThat(sandbox.events())
        .extracting(EgressEvent::protocol)
        .containsExactly("http", "connect", "socks5", "socks5");
  }

  @Test
  void fetchesTwiceOverOneConnection() throws Exception {
    assertThat(curl("http", url("good.example"), url("127.0.0.1"))).isEqualTo("GET /x 0GET /x 0");
  }

  @Test
  void uploadsWithAndWithoutALength() throws Exception {
    try (var home = TempHome.create()) {
      var file = Files.write(home.resolve("upload"), new byte[3_000_000]);
      assertThat(curl("http", "--data-binary", "@" + file, url("good.example")))
          .isEqualTo("POST /x 3000000");
      assertThat(
              curl(
                  "http",
                  "-H",
                  "Transfer-Encoding: chunked",
                  "-T",
                  file.toString(),
                  url("good.example")))
          .isEqualTo("PUT /x 3000000");
    }
  }

  @Test
  void isToldThatItIsThePolicy() throws Exception {
    assertThat(curl("http", "http://evil.example/"))
        .contains("this sandbox may not reach GET evil.example:80/ (no rule allows it)")
        .contains("husk sandbox allow demo evil.example:80");
    assertThat(curl("http", "https://evil.example/")).contains("403");
    assertThat(curl("http", "-v", "https://evil.example/"))
        .contains("403 Husk: this sandbox may not reach evil.example:443");
    assertThat(curl("socks5h", "https://evil.example/")).contains("(2)");
  }
}
