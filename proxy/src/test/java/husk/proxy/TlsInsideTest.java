package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// TLS through a tunnel, with a real client and a real server.
@ExtendWith(LeakDetector.class)
@Timeout(240)
final class TlsInsideTest {
  private TempHome home;
  private SSLContext context;
  private Upstream server;
  private Sandbox sandbox;
  private Bridge bridge;

  @BeforeEach
  void open() throws Exception {
    home = TempHome.create();
    context = TlsServer.context(home);
    server = TlsServer.echoing(context);
    sandbox =
        Sandbox.allowing("good.example", "other.example", "127.0.0.1")
            .name("good.example", "127.0.0.1");
    bridge = Bridge.to(sandbox.socket());
  }

  @AfterEach
  void close() throws IOException {
    bridge.close();
    sandbox.close();
    server.close();
    home.close();
  }

  /// Says hello to the server through a tunnel to `host`, asking for `inside`.
  private String hello(String host, String inside) throws IOException {
    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), bridge.port())) {
      Upstream.send(socket, "CONNECT %s:%d HTTP/1.1\r\n\r\n".formatted(host, server.port()));
      assertThat(Upstream.head(socket.getInputStream())).contains(" 200 ");
      var tls =
          (SSLSocket) context.getSocketFactory().createSocket(socket, host, server.port(), true);
      var parameters = tls.getSSLParameters();
      parameters.setServerNames(inside.isEmpty() ? List.of() : List.of(new SNIHostName(inside)));
      tls.setSSLParameters(parameters);
      tls.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
      return new String(tls.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void passesForTheHostOfTheTunnel() throws IOException {
    assertThat(hello("good.example", "good.example")).isEqualTo("hello");
    assertThat(hello("good.example", "GOOD.example")).isEqualTo("hello");
  }

  @Test
  void passesForAnotherHostThatIsAllowedToo() throws IOException {
    assertThat(hello("good.example", "other.example")).isEqualTo("hello");
  }

  @Test
  void passesWithoutAName() throws IOException {
    assertThat(hello("good.example", "")).isEqualTo("hello");
  }

  @Test
  void endsWhenItAsksForAHostThatIsNotAllowed() {
    assertThatThrownBy(() -> hello("good.example", "evil.example")).isInstanceOf(IOException.class);
    assertThat(sandbox.lastEvent().allowed()).isFalse();
    assertThat(sandbox.lastEvent().reason()).isEqualTo("other-host-inside");
  }

  /// The denied one comes first: a resumed session would ask for the host of the one before it.
  @Test
  void toAnAddressEndsOnlyForHostsThatAreDenied() throws IOException {
    sandbox.policy(Sandbox.policy("127.0.0.1").withDenied(EgressRule.parse("evil.example")));
    assertThatThrownBy(() -> hello("127.0.0.1", "evil.example")).isInstanceOf(IOException.class);
    assertThat(sandbox.lastEvent().reason()).isEqualTo("other-host-inside");
    assertThat(hello("127.0.0.1", "any.example")).isEqualTo("hello");
  }
}
