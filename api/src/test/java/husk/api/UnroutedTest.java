package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What no route takes, and methods that every path has.
@ExtendWith(LeakDetector.class)
class UnroutedTest {
  private final ApiServer server = new ApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nothing", "/kernels/x/y/z", "/kernelsx", "/docs/../kernels", "//kernels"})
  void whatIsNotThereIsNotFound(String target) {
    var reply = server.get(target);
    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.body()).isEqualTo("{\"detail\":\"Not Found\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /kernels, 'GET, POST, DELETE'",
    "PATCH, /kernels/x, 'GET, DELETE'",
    "GET, /kernels/x/execute, POST",
    "DELETE, /health, 'GET'",
    "PUT, /sessions/x, 'POST, GET, DELETE'",
  })
  void anotherMethodIsNotAllowedAndTheAnswerSaysWhichAre(
      String method, String target, String allowed) {
    var reply = server.send(method, target, "", "");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.body()).isEqualTo("{\"detail\":\"Method Not Allowed\"}");
    assertThat(reply.header("allow")).isEqualTo(allowed);
  }

  @Test
  void aSlashTooManyIsRedirectedWithItsQuery() {
    var reply = server.get("/kernels/?refresh=1");
    assertThat(reply.status()).isEqualTo(307);
    assertThat(reply.header("location")).isEqualTo("/kernels?refresh=1");
    assertThat(server.post("/sessions/x/").status()).isEqualTo(307);
    assertThat(server.get("/nothing/").status()).isEqualTo(404);
  }

  @Test
  void headIsRefusedAsFastApiRefusesItAndWithoutABody() {
    var reply = server.send("HEAD", "/kernels", "", "");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.header("allow")).isEqualTo("GET, POST, DELETE");
    assertThat(server.send("HEAD", "/nothing", "", "").status()).isEqualTo(404);
  }

  @Test
  void afterAHeadTheConnectionServesOn() throws IOException {
    var answer =
        raw(
            "HEAD /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                + "GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 405");
    assertThat(answer.split("\r\n\r\n", 2)[1]).startsWith("HTTP/1.1 404");
  }

  @Test
  void optionsSaysWhichMethodsThereAreAndAllowsNoPage() {
    var reply = server.send("OPTIONS", "/kernels", "", "");
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.header("allow")).isEqualTo("GET, POST, DELETE");
    assertThat(reply.headers()).doesNotContainKey("access-control-allow-origin");
    assertThat(server.send("OPTIONS", "/nothing", "", "").status()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/kernels/%zz", "/kernels/%", "/kernels/a%2"})
  void anEscapeThatIsNoneIsTheCallersFault(String target) throws IOException {
    var answer = raw("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    assertThat(answer).matches("(?s)HTTP/1.1 4\\d\\d .*");
  }

  @Test
  void theSocketAnswersTheSame() {
    var reply = server.overSocket("PUT", "/kernels", "");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.body()).isEqualTo("{\"detail\":\"Method Not Allowed\"}");
  }

  private String raw(String request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.at("/").getPort())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
