package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a client says where there is no gateway.
class NoGatewayTest {
  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void gatewayThatDoesNotAnswerIsAProblemWithItsCause() throws IOException {
    try (var client = KernelClient.builder().host("127.0.0.1").port(freePort()).build()) {
      assertThatThrownBy(() -> client.connect(2, Duration.ofMillis(100)))
          .isInstanceOfSatisfying(
              Problem.class,
              problem -> {
                assertThat(problem.code()).isEqualTo(Problem.Code.DAEMON_UNAVAILABLE);
                assertThat(problem).hasRootCauseInstanceOf(IOException.class);
              });
    }
  }

  @Test
  void clientThatIsNotConnectedSaysSo() {
    try (var client = KernelClient.builder().build()) {
      assertThatThrownBy(client::kernelId)
          .isInstanceOf(Problem.class)
          .hasMessageContaining("not connected");
      assertThatThrownBy(client::reset).isInstanceOf(Problem.class);
      client.disconnect();
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> KernelClient.builder().port(0)).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> KernelClient.builder().token("a\nb")).isInstanceOf(Problem.class);
  }

  @Test
  void tokenIsNotShown() {
    var address = new Address("::1", 8888, true, Optional.of("secret"));
    assertThat(address.toString()).isEqualTo("https://[::1]:8888/").doesNotContain("secret");
  }
}
