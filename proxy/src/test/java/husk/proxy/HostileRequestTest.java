package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a hostile client sends. Its policy would allow all of it, were it well-formed, and nothing
/// of it may arrive. PORT stands for a server that is there.
@ExtendWith(LeakDetector.class)
@Timeout(240)
final class HostileRequestTest {
  private Upstream upstream;
  private Sandbox sandbox;

  @BeforeEach
  void open() throws IOException {
    upstream = Upstream.echoingHeads();
    sandbox =
        Sandbox.with(new EgressPolicy(true, Sandbox.rules("127.0.0.0/8", "::1", "*"), List.of()))
            .name("good.example", "127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    sandbox.close();
    upstream.close();
  }

  private String exchange(String request) throws IOException {
    return sandbox.exchange(request.replace("PORT", Integer.toString(upstream.port())));
  }

  @Test
  void isToldFromAGoodOne() throws IOException {
    assertThat(exchange("GET http://good.example:PORT/ HTTP/1.1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK\r\n");
    assertThat(upstream.visitors()).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "127.0.0.01",
        "127.0.0.1..",
        "good..example",
        "user@127.0.0.1",
        "user:pw@good.example",
        "good.example@127.0.0.1",
        "127.0.0.1%00.good.example",
        "good%2eexample",
        "%3127.0.0.1",
        "good.example\u0000.evil",
        "good.example\t",
        "good example",
        "[::1%25lo]",
        "[::1%lo]",
        "[::ffff:127.1]",
        "[127.0.0.1]",
        "[::1",
        "::1",
        "",
        "-good.example",
        "g\u00f6od.example",
        "good.example\\@evil",
        "good.example#@evil",
        "1.2.3",
        "0",
        "0x",
        "[]",
        "[:]"
      })
  void namesAHostInNoOddNotation(String host) throws IOException {
    assertThat(exchange("GET http://%s:PORT/ HTTP/1.1\r\n\r\n".formatted(host)))
        .startsWith("HTTP/1.1 400 ");
    assertThat(exchange("CONNECT %s:PORT HTTP/1.1\r\n\r\n".formatted(host)))
        .startsWith("HTTP/1.1 400 ");
    assertThat(upstream.visitors()).isZero();
    assertThat(sandbox.events()).hasSize(2).noneMatch(EgressEvent::allowed);
  }

  @Test
  void mayWriteATrailingDotAndUpperCase() throws IOException {
    var answer = exchange("GET http://GOOD.Example.:PORT/ HTTP/1.1\r\nConnection: close\r\n\r\n");
    assertThat(answer).contains("Host: good.example:" + upstream.port());
  }

  static Stream<String> malformed() {
    var url = " http://good.example:PORT/ HTTP/1.1\r\n";
    return Stream.of(
        "POST" + url + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST" + url + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "POST" + url + "Content-Length: 5, 5\r\n\r\nhello",
        "POST" + url + "Content-Length: +5\r\n\r\nhello",
        "POST" + url + "Content-Length: 0x5\r\n\r\nhello",
        "POST" + url + "Content-Length: -1\r\n\r\n",
        "POST" + url + "Content-Length:\r\n\r\n",
        "POST" + url + "Content-Length: 99999999999999999999\r\n\r\n",
        "POST" + url + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST" + url + "Transfer-Encoding: identity\r\n\r\n",
        "POST" + url + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST" + url + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST" + url.replace("1.1", "1.0") + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET" + url + "A : b\r\n\r\n",
        "GET" + url + "A b: c\r\n\r\n",
        "GET" + url + ": c\r\n\r\n",
        "GET" + url + "nothing\r\n\r\n",
        "GET" + url + "A: b\r\n folded\r\n\r\n",
        "GET" + url + " A: b\r\n\r\n",
        "GET" + url + "A: b\rC: d\r\n\r\n",
        "GET" + url + "A: b\nC: d\r\n\r\n",
        "GET" + url.replace("\r\n", "\n") + "\n",
        "GET" + url + "A: \u0000\r\n\r\n",
        "GET" + url + "Host: a\r\nHost: b\r\n\r\n",
        "GET  http://good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET http://good.example:PORT/ HTTP/1.1 \r\n\r\n",
        "GET http://good.example:PORT/\r\n\r\n",
        "GET http://good.example:PORT/ HTTP/2.0\r\n\r\n",
        "GET http://good.example:PORT/ HTTP/1.2\r\n\r\n",
        "GET http://good.example:PORT/ http/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "G(T http://good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: good.example:PORT\r\n\r\n",
        "GET https://good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET ftp://good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        "GET http:/good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET //good.example:PORT/ HTTP/1.1\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: good.example:PORT\r\n\r\n",
        "GET http://good.example:PORT/a#b HTTP/1.1\r\n\r\n",
        "GET http://good.example:PORT/\u00ff HTTP/1.1\r\n\r\n",
        "GET http://good.example:0/ HTTP/1.1\r\n\r\n",
        "GET http://good.example:/ HTTP/1.1\r\n\r\n",
        "GET http://good.example:99999/ HTTP/1.1\r\n\r\n",
        "CONNECT good.example HTTP/1.1\r\n\r\n",
        "CONNECT http://good.example:PORT HTTP/1.1\r\n\r\n",
        "CONNECT good.example:PORT/x HTTP/1.1\r\n\r\n",
        "CONNECT good.example:PORT HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        "\r\nGET" + url + "\r\n",
        "\u0004\u0001\u0000P\u007f\u0000\u0000\u0001\u0000\r\n\r\n",
        "\u0016\u0003\u0001\u0000\u0005hello\r\n\r\n");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void isAnsweredWith400AndGoesNowhere(String request) throws IOException {
    assertThat(exchange(request)).startsWith("HTTP/1.1 400 Husk: malformed request");
    assertThat(upstream.visitors()).isZero();
    assertThat(sandbox.lastEvent().reason()).isEqualTo("malformed");
    assertThat(sandbox.lastEvent().allowed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5x\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", "\r\n0\r\n\r\n",
        " 5\r\nhello\r\n0\r\n\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n", "ffffffffffffffffff\r\nhello", "0x5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nTrailer without colon\r\n\r\n"
      })
  void hasNoBadChunks(String body) throws IOException {
    try (var waiting =
        Upstream.start(
            socket -> {
              Upstream.head(socket.getInputStream());
              socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
            })) {
      var head =
          "POST http://good.example:%d/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
              .formatted(waiting.port());
      assertThat(sandbox.exchange(head + body)).startsWith("HTTP/1.1 400 Husk: malformed request");
    }
  }

  @Test
  void isRefusedWhenItsHeadIsTooLarge() throws IOException {
    var line = "X: " + "a".repeat(1000) + "\r\n";
    var request = "GET http://good.example:PORT/ HTTP/1.1\r\n" + line.repeat(66) + "\r\n";
    assertThat(exchange(request)).startsWith("HTTP/1.1 431 ");
    assertThat(upstream.visitors()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET http://good.example/ HTTP/1.1\r\n\r\n",
        "HUSK/1\n",
        "HUSK/1 pid=x comm=a via=http\n",
        "HUSK/2 pid=1 comm=a via=http\n",
        "HUSK/1 pid=1 comm=a b via=http\n",
        "HUSK/1 pid=1 comm=a via=ftp\n",
        "\n",
        "HUSK/1 pid=99999999999 comm=a via=http\n"
      })
  void isNotHeardWithoutAnIntroduction(String beginning) throws IOException {
    try (var client = Client.raw(sandbox.socket())) {
      client.send(
          beginning + "GET http://good.example:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port()));
      assertThat(client.readAll()).isEmpty();
    }
    assertThat(upstream.visitors()).isZero();
  }

  @Test
  void isNotHeardAfterAnEndlessIntroduction() throws IOException {
    try (var client = Client.raw(sandbox.socket())) {
      client.send("HUSK/1 pid=1 comm=" + "a".repeat(600));
      assertThat(client.readAll()).isEmpty();
    }
  }

  @Test
  void leavesNoControlCharactersInEvents() throws IOException {
    try (var client = Client.raw(sandbox.socket())) {
      client.send("HUSK/1 pid=7 comm=%1b%5b31m%0aevil%ff via=socks\n");
      client.send("BAD\r\n\r\n");
      client.readAll();
    }
    assertThat(sandbox.lastEvent().process()).isEqualTo("?[31m?evil?");
    assertThat(sandbox.lastEvent().pid()).isEqualTo(7);
  }
}
