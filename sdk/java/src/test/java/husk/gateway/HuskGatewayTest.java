package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import husk.examples.GatewayDemo;
import husk.testkit.TempHome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The client with Husk's own gateway.
class HuskGatewayTest extends KernelClientContract {
  private static final Map<String, String> ENV = Map.of("GIVEN", "yes");

  private TempHome home;
  private KernelGateway gateway;
  private KernelClient anchor;

  @BeforeAll
  void startGateway() throws IOException {
    home = TempHome.create();
    gateway = Gateways.builder(home).env(ENV).apiKeys(token()).port(0).start();
    // As long as one kernel lives, so does what all others are forked from.
    anchor = KernelClient.builder().port(port()).token(token()).connect();
  }

  @AfterAll
  void stopGateway() throws IOException {
    anchor.close();
    gateway.close();
    home.close();
  }

  @Override
  int port() {
    return gateway.port();
  }

  @Override
  String token() {
    return "a-key";
  }

  @Test
  void kernelsHaveThePathAndWhatTheyAreGivenAndNothingElseOfThisProcess() {
    var seen =
        client
            .execute(
                "import os; print('PATH' in os.environ, os.environ['GIVEN'], sorted(os.environ))")
            .stdout();

    assertThat(seen).startsWith("True yes ").doesNotContain("HOME'", "HUSK_TEST", "HUSK_DIST");
  }

  @Test
  void kernelsStartInTheCallersDirectory() throws IOException {
    assertThat(client.execute("import os; print(os.getcwd())").stdout().strip())
        .isEqualTo(home.path().toRealPath().toString());
  }

  @Test
  void megabytesOfOutputArriveWholeAndInOrder() {
    var result =
        client.execute("for i in range(200_000): print(i, 'x' * 40)", Duration.ofMinutes(5));

    var lines = result.stdout().lines().toList();
    assertThat(lines).hasSize(200_000);
    assertThat(lines.getLast()).startsWith("199999 ");
  }

  @Test
  void dataFramesAndChartsAreGivenAsData() {
    var result =
        client.execute(
            "class T:\n"
                + "  def _repr_data_resource_(self):\n"
                + "    return {'schema': {'fields': [{'name': 'a', 'type': 'integer'}]}, 'data':"
                + " [{'a': 1}]}\n"
                + "  def _repr_husk_chart_(self):\n"
                + "    return {'version': 1, 'charts': [{'type': 'line', 'elements': []}]}\n"
                + "T()");

    assertThat(result.dataFrames().getFirst().rows()).containsExactly(Map.of("a", 1));
    assertThat(result.charts()).hasSize(1);
  }

  @Test
  void examplesPrintWhatTheySay() {
    assertThat(printed(out -> GatewayDemo.client(this::builder, out))).isEqualTo("6\n");
    assertThat(printed(out -> GatewayDemo.stream(client, out)))
        .isEqualTo("step 0\nstep 1\nstep 2\n0\n");
    assertThat(printed(out -> GatewayDemo.error(client, out)))
        .isEqualTo("ZeroDivisionError\nhalf way\n");
  }

  static String printed(Consumer<PrintStream> example) {
    var bytes = new ByteArrayOutputStream();
    example.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
