package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(240)
final class PlainHttpTest {
  private Sandbox sandbox;

  @BeforeEach
  void open() throws IOException {
    sandbox = Sandbox.allowing("good.example", "127.0.0.1").name("good.example", "127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    sandbox.close();
  }

  private static String get(Upstream upstream, String path, String... headers) {
    return "GET http://good.example:%d%s HTTP/1.1\r\n%s\r\n"
        .formatted(upstream.port(), path, String.join("", headers));
  }

  @Test
  void isForwardedWithTheHostOfItsUrlAndWithoutWhatEndsHere() throws IOException {
    try (var upstream = Upstream.echoingHeads()) {
      var answer =
          sandbox.exchange(
              get(
                  upstream,
                  "/a/../b?c=d/../e",
                  "Host: evil.example\r\n",
                  "Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: close\r\n",
                  "Connection: close, X-Mine\r\nX-Mine: gone\r\nTE: trailers\r\n",
                  "Upgrade: h2c\r\nKeep-Alive: 5\r\nX-Kept: yes\r\n"));
      assertThat(answer)
          .contains("GET /b?c=d/../e HTTP/1.1\r\nHost: good.example:" + upstream.port())
          .contains("X-Kept: yes")
          .contains("Connection: close")
          .doesNotContain("evil.example", "Proxy", "X-Mine", "TE:", "h2c", "Keep-Alive");
    }
    var event = sandbox.lastEvent();
    assertThat(event.allowed()).isTrue();
    assertThat(event.rule()).isEqualTo("good.example");
    assertThat(event.method()).isEqualTo(Optional.of("GET"));
    assertThat(event.path()).isEqualTo(Optional.of("/b"));
    assertThat(event.pid()).isEqualTo(42);
    assertThat(event.process()).isEqualTo("curl x");
  }

  @Test
  void isCheckedAnewForEachRequestOfAConnection() throws IOException {
    try (var upstream = Upstream.echoingHeads();
        var client = sandbox.client()) {
      for (int i = 0; i < 3; i++) {
        client.send(get(upstream, "/" + i));
        var head = client.readHead();
        assertThat(head).startsWith("HTTP/1.1 200 OK").contains("Connection: keep-alive");
        assertThat(client.readHead()).startsWith("GET /" + i);
      }
      client.send("GET http://evil.example/ HTTP/1.1\r\n\r\n");
      assertThat(client.readAll()).startsWith("HTTP/1.1 403 ");
      assertThat(upstream.visitors()).isEqualTo(3);
    }
  }

  @Test
  void thatIsRefusedSaysWhyAndWhatToDo() throws IOException {
    var answer = sandbox.exchange("GET http://evil.example/x HTTP/1.1\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.1 403 Husk: this sandbox may not reach GET evil.example:80/x (no rule")
        .contains("X-Husk-Denied: not-allowed\r\n")
        .contains("Content-Type: text/plain")
        .contains("policy, not a network fault; retrying will not help.")
        .endsWith("To allow it: husk sandbox allow demo evil.example:80\n");
    var event = sandbox.lastEvent();
    assertThat(event.allowed()).isFalse();
    assertThat(event.host()).isEqualTo("evil.example");
    assertThat(event.reason()).isEqualTo("not-allowed");
  }

  @Test
  void followsRulesForMethodsAndPaths() throws IOException {
    try (var upstream = Upstream.echoingHeads()) {
      sandbox.policy(
          new EgressPolicy(
              false,
              Sandbox.rules("GET good.example/public/*", "127.0.0.1"),
              Sandbox.rules("good.example/public/private*")));
      assertThat(sandbox.exchange(get(upstream, "/public/a", "Connection: close\r\n")))
          .contains(" 200 ");
      for (var path :
          List.of("/", "/public/../secret", "/public/%2e%2e/secret", "/public/private/x")) {
        assertThat(sandbox.exchange(get(upstream, path))).as(path).startsWith("HTTP/1.1 403 ");
      }
      var post = get(upstream, "/public/a").replace("GET", "POST");
      assertThat(sandbox.exchange(post)).startsWith("HTTP/1.1 403 ");
      try (var client = sandbox.client()) {
        assertThat(client.connect("good.example:" + upstream.port())).startsWith("HTTP/1.1 403 ");
      }
      assertThat(upstream.visitors()).isOne();
    }
  }

  @Test
  void carriesChunksBothWays() throws IOException {
    try (var upstream =
        Upstream.start(
            socket -> {
              Upstream.head(socket.getInputStream());
              var body =
                  new String(
                      socket.getInputStream().readNBytes(21),
                      java.nio.charset.StandardCharsets.US_ASCII);
              Upstream.answer(
                  socket,
                  "Transfer-Encoding: chunked\r\n\r\n4;x=y\r\nwiki\r\n%x\r\n%s\r\n0\r\nT: x\r\n\r\n"
                      .formatted(body.length(), body));
            })) {
      var request =
          "POST http://good.example:%d/ HTTP/1.1\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n"
              .formatted(upstream.port());
      assertThat(sandbox.exchange(request + "5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\nA: b\r\n\r\n"))
          .contains("Transfer-Encoding: chunked")
          .contains("4\r\nwiki\r\n")
          .endsWith("15\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n\r\n0\r\n\r\n");
    }
  }

  @Test
  void passesOnThatTheServerWantsToHearTheBody() throws IOException {
    try (var upstream =
            Upstream.start(
                socket -> {
                  var head = Upstream.head(socket.getInputStream());
                  Upstream.send(socket, "HTTP/1.1 100 Continue\r\n\r\n");
                  var body =
                      new String(
                          socket.getInputStream().readNBytes(5),
                          java.nio.charset.StandardCharsets.US_ASCII);
                  var expects = head.contains("Expect: 100-continue");
                  Upstream.answer(
                      socket, "Content-Length: 10\r\n\r\n" + body + (expects ? "+seen" : "-lost"));
                });
        var client = sandbox.client()) {
      client.send(
          "PUT http://good.example:%d/ HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
              .formatted(upstream.port()));
      assertThat(client.readHead()).startsWith("HTTP/1.1 100 Continue");
      client.send("hello");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 OK");
      assertThat(client.readText(10)).isEqualTo("hello+seen");
    }
  }

  @Test
  void goesOnAfterResponsesWithoutABody() throws IOException {
    try (var upstream =
            Upstream.start(
                socket -> {
                  var head = Upstream.head(socket.getInputStream());
                  if (head.startsWith("HEAD")) {
                    Upstream.answer(socket, "Content-Length: 1000\r\n\r\n");
                  } else {
                    Upstream.send(socket, "HTTP/1.1 %s X\r\n\r\n".formatted(head.substring(5, 8)));
                  }
                });
        var client = sandbox.client()) {
      client.send(get(upstream, "/").replace("GET", "HEAD"));
      assertThat(client.readHead()).contains(" 200 ").contains("Content-Length: 1000");
      client.send(get(upstream, "/204"));
      assertThat(client.readHead()).contains(" 204 ").contains("keep-alive");
      client.send(get(upstream, "/304"));
      assertThat(client.readHead()).contains(" 304 ");
    }
  }

  @Test
  void endsWithTheServerWhereNoLengthIsGiven() throws IOException {
    try (var upstream =
        Upstream.start(
            socket -> {
              Upstream.head(socket.getInputStream());
              Upstream.answer(socket, "\r\nuntil the end");
            })) {
      assertThat(sandbox.exchange(get(upstream, "/")))
          .contains("Connection: close")
          .endsWith("\r\n\r\nuntil the end");
    }
  }

  @Test
  void becomesATunnelWhenTheServerAgreesToAWebSocket() throws IOException {
    try (var upstream =
            Upstream.start(
                socket -> {
                  var head = Upstream.head(socket.getInputStream());
                  if (head.contains("Upgrade: websocket") && head.contains("Connection: Upgrade")) {
                    Upstream.send(
                        socket, "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\nhi!");
                    socket.getInputStream().transferTo(socket.getOutputStream());
                  }
                });
        var client = sandbox.client()) {
      client.send(get(upstream, "/", "Connection: Upgrade\r\nUpgrade: WebSocket\r\n"));
      assertThat(client.readHead()).startsWith("HTTP/1.1 101 ").contains("Upgrade: websocket");
      assertThat(client.readText(3)).isEqualTo("hi!");
      client.send("frames");
      assertThat(client.readText(6)).isEqualTo("frames");
    }
  }

  @Test
  void becomesNoTunnelWhenNobodyAskedForOne() throws IOException {
    try (var upstream =
        Upstream.start(
            socket -> {
              Upstream.head(socket.getInputStream());
              Upstream.send(socket, "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\nraw");
            })) {
      assertThat(sandbox.exchange(get(upstream, "/", "Connection: upgrade\r\nUpgrade: h2c\r\n")))
          .startsWith("HTTP/1.1 502 ")
          .doesNotContain("raw");
    }
  }

  @Test
  void saysWhyAServerCouldNotBeReached() throws IOException {
    int free;
    try (var gone = Upstream.echoingHeads()) {
      free = gone.port();
    }
    assertThat(sandbox.exchange("GET http://127.0.0.1:%d/ HTTP/1.1\r\n\r\n".formatted(free)))
        .startsWith("HTTP/1.1 502 Husk: cannot connect to 127.0.0.1:" + free)
        .contains("X-Husk-Error: unreachable");
    assertThat(sandbox.lastEvent().reason()).isEqualTo("unreachable");
    assertThat(sandbox.lastEvent().allowed()).isTrue();
    sandbox.policy(Sandbox.policy("nowhere.example"));
    assertThat(sandbox.exchange("GET http://nowhere.example/ HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 502 Husk: cannot resolve nowhere.example");
  }

  @Test
  void endsWith502WhenTheServerTalksNonsense() throws IOException {
    for (var nonsense :
        List.of(
            "",
            "SSH-2.0-x\r\n\r\n",
            "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")) {
      try (var upstream =
          Upstream.start(
              socket -> {
                Upstream.head(socket.getInputStream());
                Upstream.send(socket, nonsense);
              })) {
        assertThat(sandbox.exchange(get(upstream, "/"))).as(nonsense).startsWith("HTTP/1.1 502 ");
      }
    }
  }

  @Test
  void bringsTheAnswerOfAServerThatDoesNotWantToHearTheRest() throws IOException {
    try (var upstream =
            Upstream.start(
                socket -> {
                  Upstream.head(socket.getInputStream());
                  Upstream.send(socket, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
                });
        var client = sandbox.client()) {
      client.send(
          "POST http://good.example:%d/ HTTP/1.1\r\nContent-Length: 500000\r\n\r\n"
              .formatted(upstream.port()));
      client.send(new byte[100_000]);
      assertThat(client.readHead()).startsWith("HTTP/1.1 413 Too Large");
    }
  }
}
