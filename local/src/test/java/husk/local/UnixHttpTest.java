package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakDetector.class)
@Timeout(30)
final class UnixHttpTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private TempHome temp;
  private Path socket;

  @BeforeEach
  void makeFolder() throws IOException {
    temp = TempHome.create();
    socket = temp.resolve("s");
  }

  @AfterEach
  void removeFolder() throws IOException {
    temp.close();
  }

  private static String body(HttpAnswer answer) throws IOException {
    return new String(answer.body().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aConnectionServesAgainOnceTheAnswerIsRead() throws Exception {
    var first = OK + "content-length: 2\r\nHUSK-Status: success\r\n\r\nhi";
    var second =
        OK + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1;x=y\r\nd\r\n0\r\nT: x\r\n\r\n";
    try (var server = new ScriptedServer(socket, first, second, OK + "\r\nthe rest");
        var http = UnixHttp.open(socket)) {
      var answer = http.request("GET", "/a?b=c", Map.of("Accept", "text/plain"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("husk-status")).contains("success");
      assertThat(http.reusable()).isFalse();
      assertThat(body(answer)).isEqualTo("hi");
      assertThat(http.reusable()).isTrue();

      var bytes = "{\"é\":1}".getBytes(StandardCharsets.UTF_8);
      assertThat(body(http.request("POST", "/b", Map.of(), bytes))).isEqualTo("abcd");

      assertThat(body(http.request("DELETE", "/c", Map.of()))).isEqualTo("the rest");
      assertThat(http.reusable()).isFalse();
      assertThatThrownBy(() -> http.request("GET", "/d", Map.of())).isInstanceOf(IOException.class);

      assertThat(server.requests.get(0))
          .startsWith("GET /a?b=c HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\n");
      assertThat(server.requests.get(1)).endsWith("Content-Length: 8\r\n\r\n{\"é\":1}");
    }
  }

  @Test
  void aConnectionThatIsToBeClosedIsNotUsedAgain() throws Exception {
    try (var _ = new ScriptedServer(socket, OK + "Connection: Close\r\nContent-Length: 0\r\n\r\n");
        var http = UnixHttp.open(socket)) {
      assertThat(body(http.request("GET", "/", Map.of()))).isEmpty();
      assertThat(http.reusable()).isFalse();
    }
  }

  @Test
  void interimAndEmptyAnswersAreUnderstood() throws Exception {
    var interim = "HTTP/1.1 100 Continue\r\n\r\n";
    try (var _ = new ScriptedServer(socket, interim + "HTTP/1.1 204 No Content\r\n\r\n");
        var http = UnixHttp.open(socket)) {
      var answer = http.request("GET", "/", Map.of());
      assertThat(answer.status()).isEqualTo(204);
      assertThat(body(answer)).isEmpty();
      assertThat(http.reusable()).isTrue();
    }
  }

  @Test
  void aLargeBodyComesWhole() throws Exception {
    var large = "x".repeat(3_000_000);
    try (var _ = new ScriptedServer(socket, OK + "Content-Length: 3000000\r\n\r\n" + large);
        var http = UnixHttp.open(socket)) {
      assertThat(body(http.request("GET", "/", Map.of()))).isEqualTo(large);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1",
        "HTTP/1.1 200 OK\r\n",
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 -20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
      })
  void aHostileOrShortAnswerIsAnIoException(String answer) throws Exception {
    try (var _ = new ScriptedServer(socket, answer);
        var http = UnixHttp.open(socket)) {
      assertThatThrownBy(() -> body(http.request("GET", "/", Map.of())))
          .isInstanceOf(IOException.class);
      assertThat(http.reusable()).isFalse();
    }
  }

  @Test
  void endlessHeadsAreRefused() throws Exception {
    try (var _ = new ScriptedServer(socket, OK + "A: " + "x".repeat(100_000));
        var http = UnixHttp.open(socket)) {
      assertThatThrownBy(() -> http.request("GET", "/", Map.of())).hasMessageContaining("too long");
    }
    try (var _ = new ScriptedServer(temp.resolve("t"), OK + "A: b\r\n".repeat(10_000));
        var http = UnixHttp.open(temp.resolve("t"))) {
      assertThatThrownBy(() -> http.request("GET", "/", Map.of()))
          .hasMessageContaining("malformed head");
    }
  }

  @Test
  void garbageNeverHangsOrThrowsAnythingElse() throws Exception {
    var random = new Random(3);
    var pieces =
        new String[] {
          OK,
          "\r\n",
          "0",
          "5\r\n",
          "Content-Length: 3\r\n",
          "abc",
          "\n",
          ":",
          "ÿ",
          "Transfer-Encoding: chunked\r\n",
          "HTTP/1.1 100 C\r\n\r\n"
        };
    for (int round = 0; round < 300; round++) {
      var answer = new StringBuilder(random.nextBoolean() ? OK : "");
      for (int i = random.nextInt(8); i > 0; i--) {
        answer.append(pieces[random.nextInt(pieces.length)]);
      }
      var path = temp.resolve("g" + round);
      try (var _ = new ScriptedServer(path, answer.toString());
          var http = UnixHttp.open(path)) {
        body(http.request("GET", "/", Map.of()));
      } catch (IOException _) {
        // As it should be.
      }
    }
  }

  @Test
  void aConnectionLostMidwaySaysSo() throws Exception {
    try (var _ = new ScriptedServer(socket, OK + "Content-Length: 9\r\n\r\nshort");
        var http = UnixHttp.open(socket)) {
      var answer = http.request("GET", "/", Map.of());
      assertThatThrownBy(() -> body(answer))
          .isInstanceOf(EOFException.class)
          .hasMessage("the daemon closed the connection in the middle of its answer");
    }
  }

  @Test
  void segmentsEscapeEverythingThatHasAMeaning() {
    assertThat(UnixHttp.segment("a-Z_0.~")).isEqualTo("a-Z_0.~");
    assertThat(UnixHttp.segment("../é ?#%/&+")).isEqualTo("..%2F%C3%A9%20%3F%23%25%2F%26%2B");
  }

  @Test
  void lineBreaksCannotBeSmuggledIntoTheHead() throws Exception {
    try (var _ = new ScriptedServer(socket, OK + "\r\n");
        var http = UnixHttp.open(socket)) {
      assertThatThrownBy(() -> http.request("GET", "/\r\nX: y", Map.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
