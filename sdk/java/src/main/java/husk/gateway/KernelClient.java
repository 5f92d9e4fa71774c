package husk.gateway;

import husk.model.Problem;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Runs code in a kernel of its own, behind a [KernelGateway] or any Jupyter Kernel Gateway.
///
/// {@snippet class="husk.examples.GatewayDemo" region="client"}
///
/// State stays: what one execution defines, the next one has. Executions may be asked for by
/// several threads at once; the kernel runs them one after the other, in the order they were asked
/// for, and each gets its own output.
///
/// Errors and timeouts are thrown, with everything that was put out before. A [Problem] says that
/// the gateway could not be reached or refused to serve.
public final class KernelClient implements AutoCloseable {
  /// How long code may run if nothing else is said.
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);

  private static final int RETRIES = 10;
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration HANDSHAKE = Duration.ofSeconds(30);

  private final KernelClientBuilder options;
  private final Address address;
  private final HttpClient http;
  private final GatewayRest rest;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Connected connected;

  private record Connected(String kernelId, KernelLine line) {}

  KernelClient(KernelClientBuilder options) {
    this.options = options;
    this.address = options.address();
    this.http = options.httpClient();
    this.rest = new GatewayRest(address, http);
  }

  /// A client of the gateway at `localhost`, port 8888, unless it is told otherwise.
  public static KernelClientBuilder builder() {
    return new KernelClientBuilder();
  }

  /// Starts a kernel and connects to it; a gateway that does not answer yet is tried for 10 s.
  public KernelClient connect() {
    return connect(RETRIES, RETRY_INTERVAL);
  }

  /// Starts a kernel and connects to it. A gateway that does not answer yet is tried until
  /// `retries` times `retryInterval` have passed, the first times sooner than that.
  ///
  /// @return this client
  public KernelClient connect(int retries, Duration retryInterval) {
    lock.lock();
    try {
      if (connected != null) {
        throw new Problem(
            Problem.Code.USAGE, "this client is connected already", "use it, or `reset`");
      }
      var kernelId =
          new Patience(address, retries, retryInterval).until(() -> rest.create(options.kernel()));
      connected = new Connected(kernelId, open(kernelId));
      return this;
    } finally {
      lock.unlock();
    }
  }

  /// A kernel that nobody could talk to is not left behind.
  private KernelLine open(String kernelId) {
    var line = new KernelLine(this::openSocket, rest, kernelId);
    try {
      line.open(options.pingInterval());
      return line;
    } catch (IOException e) {
      line.close();
      deleteQuietly(kernelId);
      throw new Problem(
              Problem.Code.KERNEL_UNRESPONSIVE,
              "the kernel was started by the gateway at "
                  + address
                  + ", but cannot be talked to: "
                  + e.getMessage(),
              "look at the gateway's log")
          .causedBy(e);
    }
  }

  private WebSocket openSocket(String path, WebSocket.Listener listener) {
    var builder = http.newWebSocketBuilder().connectTimeout(HANDSHAKE);
    address.authorize(builder);
    return builder.buildAsync(address.webSocket(path), listener).join();
  }

  /// The id of the kernel.
  public String kernelId() {
    return connected().kernelId;
  }

  /// Runs code and waits for its result, for 120 s at most.
  public CellResult execute(String code) {
    return execute(code, DEFAULT_TIMEOUT);
  }

  /// Runs code and waits for its result.
  ///
  /// {@snippet class="husk.examples.GatewayDemo" region="error"}
  ///
  /// @param timeout how long it may run, counted from when it is its turn; zero for ever. It is
  ///   then interrupted, and variables stay
  /// @throws ExecutionError if it raises an error, or if the kernel dies
  /// @throws ExecutionTimeout if it takes longer
  public CellResult execute(String code, Duration timeout) {
    try (var stream = stream(code, timeout)) {
      while (true) {
        if (stream.next() instanceof CellOutput.Result(var result)) {
          return result;
        }
      }
    }
  }

  /// Runs code and gives its output as it comes, for 120 s at most.
  public CellStream stream(String code) {
    return stream(code, DEFAULT_TIMEOUT);
  }

  /// Runs code and gives its output as it comes; the result is the last item.
  ///
  /// {@snippet class="husk.examples.GatewayDemo" region="stream"}
  public CellStream stream(String code, Duration timeout) {
    var line = connected().line;
    var cell = new Cell(new Transcript(new ImageFiles(options.imagesDir())), limit(timeout));
    line.submit(cell, code);
    return new CellStream(line, cell);
  }

  private static Optional<Duration> limit(Duration timeout) {
    if (timeout.isNegative()) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "the timeout is negative: " + timeout);
    }
    return timeout.isZero() ? Optional.empty() : Optional.of(timeout);
  }

  /// Interrupts whatever the kernel runs; variables stay.
  public void interrupt() {
    try {
      rest.interrupt(connected().kernelId);
    } catch (IOException e) {
      throw Patience.unreachable(address, e);
    }
  }

  /// Gives up this kernel for a new one; variables are gone.
  public KernelClient reset() {
    connected();
    disconnect();
    return connect();
  }

  /// Lets go of the kernel and ends it. Whoever still waits for code in it gets an
  /// [ExecutionError].
  public void disconnect() {
    lock.lock();
    try {
      var old = connected;
      connected = null;
      if (old != null) {
        old.line.close();
        deleteQuietly(old.kernelId);
      }
    } finally {
      lock.unlock();
    }
  }

  /// With a gateway that is gone its kernels are gone too.
  private void deleteQuietly(String kernelId) {
    try {
      rest.delete(kernelId);
    } catch (IOException | Problem e) {
      System.getLogger("husk").log(System.Logger.Level.DEBUG, "kernel " + kernelId, e);
    }
  }

  /// Disconnects, for good.
  @Override
  public void close() {
    disconnect();
    http.shutdownNow();
  }

  private Connected connected() {
    var current = connected;
    if (current == null) {
      throw new Problem(Problem.Code.USAGE, "this client is not connected", "call `connect` first");
    }
    return current;
  }
}
