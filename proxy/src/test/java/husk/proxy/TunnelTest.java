package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(240)
final class TunnelTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Sandbox sandbox;
  private Upstream echo;

  @BeforeEach
  void open() throws IOException {
    echo = Upstream.start(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    sandbox = Sandbox.allowing("good.example", "127.0.0.1").name("good.example", "127.0.0.1");
  }

  @AfterEach
  void close() throws IOException {
    sandbox.close();
    echo.close();
  }

  private String place() {
    return "good.example:" + echo.port();
  }

  @Test
  void carriesBytesUntilBothSidesHaveFinished() throws IOException {
    try (var client = sandbox.client()) {
      assertThat(client.connect(place())).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n");
      client.send("hello");
      assertThat(client.readText(5)).isEqualTo("hello");
      client.send("last");
      client.finish();
      assertThat(client.readAll()).isEqualTo("last");
    }
  }

  @Test
  void takesBytesThatCameTogetherWithTheRequest() throws IOException {
    try (var client = sandbox.client()) {
      client.send("CONNECT %s HTTP/1.1\r\n\r\nearly".formatted(place()));
      client.readHead();
      assertThat(client.readText(5)).isEqualTo("early");
    }
  }

  @Test
  void letsTheServerSpeakFirst() throws IOException {
    try (var server = Upstream.start(socket -> Upstream.send(socket, "220 ready\r\n"));
        var client = sandbox.client()) {
      client.connect("good.example:" + server.port());
      assertThat(client.readAll()).isEqualTo("220 ready\r\n");
    }
  }

  @Test
  void isRefusedWithAReasonInTheStatusLine() throws IOException {
    try (var client = sandbox.client()) {
      client.send("CONNECT evil.example:443 HTTP/1.1\r\n\r\n");
      assertThat(client.readAll())
          .startsWith(
              "HTTP/1.1 403 Husk: this sandbox may not reach evil.example:443 (no rule allows"
                  + " it)\r\n")
          .endsWith("To allow it: husk sandbox allow demo evil.example:443\n");
    }
    assertThat(sandbox.lastEvent().protocol()).isEqualTo("connect");
  }

  @Test
  void endsWhenAChangedPolicyForbidsIt() throws IOException {
    try (var kept = sandbox.client();
        var ended = sandbox.client()) {
      kept.connect("127.0.0.1:" + echo.port());
      ended.connect(place());
      sandbox.policy(Sandbox.policy("127.0.0.1"));
      sandbox.proxy().reconsider();
      assertThat(ended.readAll()).isEmpty();
      assertThat(sandbox.lastEvent().reason()).isEqualTo("policy-changed");
      assertThat(sandbox.lastEvent().host()).isEqualTo("good.example");
      kept.send("alive");
      assertThat(kept.readText(5)).isEqualTo("alive");
    }
  }

  @Test
  void endsWhenTheAddressItGoesToIsDeniedLater() throws IOException {
    try (var client = sandbox.client()) {
      client.connect(place());
      sandbox.policy(
          new EgressPolicy(true, Sandbox.rules("127.0.0.0/8"), Sandbox.rules("127.0.0.1")));
      sandbox.proxy().reconsider();
      assertThat(client.readAll()).isEmpty();
    }
  }

  @Test
  void endsWhenItIsQuietForTooLong() throws IOException {
    var hurried =
        new Limits(
            2,
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofMillis(300),
            Duration.ofMillis(300));
    try (var impatient = Sandbox.with(Sandbox.policy("127.0.0.1"), hurried);
        var client = impatient.client()) {
      client.connect("127.0.0.1:" + echo.port());
      assertThat(client.readAll()).isEmpty();
      Eventually.until(
          PATIENCE, () -> impatient.proxy().connections() == 0, () -> "a connection is left");
    }
  }

  @Test
  void doesNotLookUpANameThatNothingAllows() throws IOException {
    var asked = new java.util.concurrent.CopyOnWriteArrayList<String>();
    try (var home = husk.testkit.TempHome.create();
        var _ =
            EgressProxy.open(
                home.resolve("s"),
                () -> Sandbox.policy("127.0.0.0/8"),
                name -> {
                  asked.add(name);
                  return List.of();
                },
                _ -> {});
        var client = Client.introduced(home.resolve("s"))) {
      client.send("CONNECT secret.evil.example:443 HTTP/1.1\r\n\r\n");
      assertThat(client.readAll()).startsWith("HTTP/1.1 403 ").contains("husk sandbox allow NAME ");
      assertThat(asked).isEmpty();
    }
  }
}
