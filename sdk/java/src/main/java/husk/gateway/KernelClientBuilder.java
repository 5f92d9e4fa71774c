package husk.gateway;

import husk.model.Problem;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/// Says what a [KernelClient] is to be like. What is not said has ipybox's defaults.
public final class KernelClientBuilder {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private String host = "localhost";
  private int port = 8888;
  private Path imagesDir = Path.of("images");
  private Duration pingInterval = Duration.ofSeconds(10);
  private Optional<String> token = Optional.empty();
  private boolean tls;
  private Optional<SSLContext> trust = Optional.empty();
  private String kernel = "python3";

  KernelClientBuilder() {}

  /// Where the gateway is; `localhost` if nothing is said.
  public KernelClientBuilder host(String name) {
    host = name;
    return this;
  }

  /// The gateway's port; 8888 if nothing is said.
  public KernelClientBuilder port(int number) {
    if (number < 1 || number > 65535) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "`" + number + "` is no port of a gateway");
    }
    port = number;
    return this;
  }

  /// Where pictures are saved; `images` in the current directory if nothing is said. It is made
  /// when the first one comes.
  public KernelClientBuilder imagesDir(Path folder) {
    imagesDir = folder;
    return this;
  }

  /// How often the gateway is asked for a sign of life; every 10 s if nothing is said, never if
  /// zero. A gateway that gives none until the next time is taken for lost, and connected to anew.
  public KernelClientBuilder pingInterval(Duration interval) {
    pingInterval = interval;
    return this;
  }

  /// The gateway's API key or token.
  public KernelClientBuilder token(String key) {
    if (key.isBlank() || key.chars().anyMatch(c -> c < 32 || c > 126)) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "a token is printable ASCII, and not empty");
    }
    token = Optional.of(key);
    return this;
  }

  /// Speaks TLS, trusting whom this Java trusts.
  public KernelClientBuilder tls() {
    tls = true;
    return this;
  }

  /// Speaks TLS, trusting whom `context` trusts.
  public KernelClientBuilder tls(SSLContext context) {
    trust = Optional.of(context);
    return tls();
  }

  /// The kernelspec to start; `python3` if nothing is said.
  public KernelClientBuilder kernel(String name) {
    kernel = name;
    return this;
  }

  /// A client that is yet to connect.
  public KernelClient build() {
    return new KernelClient(this);
  }

  /// A client that is connected.
  public KernelClient connect() {
    var client = build();
    try {
      return client.connect();
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  Address address() {
    return new Address(host, port, tls, token);
  }

  HttpClient httpClient() {
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    trust.ifPresent(client::sslContext);
    return client.build();
  }

  Path imagesDir() {
    return imagesDir;
  }

  Duration pingInterval() {
    return pingInterval;
  }

  String kernel() {
    return kernel;
  }
}
