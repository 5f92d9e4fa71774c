package husk.gateway;

import husk.testkit.Eventually;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// A Jupyter Kernel Gateway as Jupyter ships it.
final class StockGateway implements AutoCloseable {
  /// A Python that has `jupyter_kernel_gateway` and `ipykernel`.
  static final String VARIABLE = "KERNEL_GATEWAY_PYTHON";

  final int port;
  private final Process process;

  private StockGateway(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  static Optional<String> python() {
    return Optional.ofNullable(System.getenv(VARIABLE)).filter(it -> !it.isBlank());
  }

  static StockGateway start(String python, Path folder, String token) throws IOException {
    int port;
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    var builder =
        new ProcessBuilder(
            python,
            "-m",
            "kernel_gateway",
            "--KernelGatewayApp.ip=127.0.0.1",
            "--KernelGatewayApp.port=" + port,
            "--KernelGatewayApp.port_retries=0");
    var bin = Path.of(python).resolveSibling("").toString();
    builder
        .environment()
        .putAll(
            Map.of(
                "KG_AUTH_TOKEN",
                token,
                "PATH",
                bin + ":/usr/bin:/bin",
                "JUPYTER_RUNTIME_DIR",
                folder.resolve("runtime").toString()));
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(Redirect.to(folder.resolve("gateway.log").toFile()));
    var gateway = new StockGateway(port, builder.start());
    Eventually.until(Duration.ofSeconds(60), gateway::listens, () -> "the gateway does not listen");
    return gateway;
  }

  private boolean listens() {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    var kernels = process.descendants().toList();
    process.destroy();
    process.onExit().join();
    kernels.forEach(ProcessHandle::destroyForcibly);
  }
}
