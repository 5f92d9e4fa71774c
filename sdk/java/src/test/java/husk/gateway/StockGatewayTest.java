package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// The client works with the gateway that ipybox's users have.
class StockGatewayTest extends KernelClientContract {
  private StockGateway gateway;

  @BeforeAll
  void startGateway(@TempDir Path home) throws IOException {
    var python = StockGateway.python();
    Assumptions.assumeTrue(python.isPresent(), StockGateway.VARIABLE + " names no Python");
    gateway = StockGateway.start(python.get(), home, token());
  }

  @AfterAll
  void stopGateway() {
    if (gateway != null) {
      gateway.close();
    }
  }

  /// It restarts such a kernel, and loses its process if the kernel is deleted meanwhile.
  @Override
  void afterDeath() {
    assertThat(client.execute("'again'", Duration.ZERO).text()).contains("'again'");
  }

  @Override
  int port() {
    return gateway.port;
  }

  @Override
  String token() {
    return "a-token";
  }
}
