package husk.examples;

import husk.gateway.CellOutput;
import husk.gateway.CellResult;
import husk.gateway.ExecutionError;
import husk.gateway.KernelClient;
import husk.gateway.KernelClientBuilder;
import husk.gateway.KernelGateway;
import husk.gateway.KernelGatewayBuilder;
import java.io.PrintStream;
import java.util.function.Supplier;

/// A gateway and its client.
public final class GatewayDemo {
  private GatewayDemo() {}

  public static void gateway(Supplier<KernelGatewayBuilder> chosen, PrintStream out) {
    // @start region="gateway"
    // @replace region regex='chosen.get\(\)' replacement="KernelGateway.builder()"
    try (KernelGateway gateway = chosen.get().port(0).start();
        KernelClient client =
            KernelClient.builder().host(gateway.host()).port(gateway.port()).connect()) {
      out.println(client.execute("6 * 7").text().orElseThrow()); // 42
    }
    // @end
    // @end
  }

  public static void client(Supplier<KernelClientBuilder> chosen, PrintStream out) {
    // @start region="client"
    // @replace region regex='chosen.get\(\)' replacement="KernelClient.builder().port(8888)"
    try (KernelClient client = chosen.get().connect()) {
      client.execute("x = [1, 2, 3]");
      CellResult result = client.execute("print(sum(x))");
      out.print(result.text().orElse("")); // 6
    }
    // @end
    // @end
  }

  public static void stream(KernelClient client, PrintStream out) {
    // @start region="stream"
    try (var stream = client.stream("for step in range(3): print('step', step)")) {
      while (stream.hasNext()) {
        switch (stream.next()) {
          case CellOutput.Text(String text) -> out.print(text);
          case CellOutput.Result(CellResult result) -> out.println(result.images().size());
        }
      }
    }
    // @end
  }

  public static void error(KernelClient client, PrintStream out) {
    // @start region="error"
    try {
      client.execute("print('half way')\n1 / 0");
    } catch (ExecutionError error) {
      out.println(error.ename()); // ZeroDivisionError
      out.print(error.text().orElse("")); // half way
    }
    // @end
  }
}
