package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
@Timeout(240)
final class LifecycleTest {
  private TempHome home;

  @BeforeEach
  void open() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void close() throws IOException {
    home.close();
  }

  private EgressProxy proxy() {
    return EgressProxy.open(
        home.resolve("s"), () -> Sandbox.policy("127.0.0.1"), _ -> List.of(), _ -> {});
  }

  @Test
  void theSocketIsForItsUserAlone() throws IOException {
    try (var _ = proxy()) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("s"))))
          .isEqualTo("rw-------");
    }
    assertThat(home.resolve("s")).doesNotExist();
  }

  @Test
  void aSocketThatNobodyListensOnIsReplaced() throws IOException {
    try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(home.resolve("s")));
    }
    assertThat(home.resolve("s")).exists();
    try (var _ = proxy();
        var client = Client.introduced(home.resolve("s"))) {
      client.send("NO\r\n\r\n");
      assertThat(client.readAll()).startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void aSocketOrFileOfSomebodyElseIsLeftAlone() throws IOException {
    try (var _ = proxy()) {
      assertThatThrownBy(this::proxy).isInstanceOf(Problem.class).hasMessageContaining("listens");
      try (var client = Client.introduced(home.resolve("s"))) {
        client.send("NO\r\n\r\n");
        assertThat(client.readAll()).startsWith("HTTP/1.1 400 ");
      }
    }
    Files.writeString(home.resolve("s"), "mine");
    assertThatThrownBy(this::proxy).isInstanceOf(Problem.class).hasMessageContaining("no socket");
    assertThat(home.resolve("s")).hasContent("mine");
  }

  @Test
  void closingEndsEveryConnectionOnBothSides() throws IOException {
    try (var upstream =
        Upstream.start(
            socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()))) {
      var proxy = proxy();
      var clients =
          List.of(
              Client.introduced(home.resolve("s")),
              Client.introduced(home.resolve("s")),
              Client.raw(home.resolve("s")));
      clients.get(0).connect("127.0.0.1:" + upstream.port());
      clients.get(1).send("GET http://127.0.0.1:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port()));
      Eventually.until(
          Duration.ofSeconds(20), () -> upstream.visitors() == 2, () -> "nobody came through");
      proxy.close();
      for (var client : clients) {
        assertThat(client.readAll()).isEmpty();
        client.close();
      }
      assertThat(proxy.connections()).isZero();
    }
  }

  @Test
  void closingTwiceIsClosingOnce() {
    var proxy = proxy();
    proxy.close();
    proxy.close();
    assertThat(home.resolve("s")).doesNotExist();
  }

  @Test
  void aListenerThatFailsStopsNothing() throws IOException {
    try (var _ =
        EgressProxy.open(
            home.resolve("s"),
            () -> EgressPolicy.NONE,
            _ -> List.of(),
            _ -> {
              throw new IllegalStateException("a listener that fails");
            })) {
      for (int i = 0; i < 2; i++) {
        try (var client = Client.introduced(home.resolve("s"))) {
          client.send("GET http://a.example/ HTTP/1.1\r\n\r\n");
          assertThat(client.readAll()).startsWith("HTTP/1.1 403 ");
        }
      }
    }
  }

  @Test
  void aConnectionThatSaysNothingIsEnded() throws IOException {
    var patient = Duration.ofSeconds(60);
    var hurried = new Limits(2, Duration.ofMillis(200), patient, patient, patient);
    try (var sandbox = Sandbox.with(EgressPolicy.NONE, hurried);
        var silent = Client.raw(sandbox.socket())) {
      assertThat(silent.readAll()).isEmpty();
    }
  }
}
