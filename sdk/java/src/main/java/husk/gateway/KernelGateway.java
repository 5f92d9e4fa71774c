package husk.gateway;

import husk.model.Problem;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A gateway of one's own, with the kernels behind it: whoever reaches its port can have kernels,
/// with a [KernelClient] or with any Jupyter client.
///
/// {@snippet class="husk.examples.GatewayDemo" region="gateway"}
///
/// It is apart from the user's daemon: its kernels are seen by its clients alone, have none of this
/// process's environment but the `PATH`, and end with it. It ends with this process, too.
public final class KernelGateway implements AutoCloseable {
  private static final Duration STOP = Duration.ofSeconds(10);

  private record Running(GatewayProcess process, PrivateHome home, URI url, Thread onExit) {}

  private final KernelGatewayBuilder options;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Running running;

  KernelGateway(KernelGatewayBuilder options) {
    this.options = options;
  }

  /// A gateway at `localhost`, port 8888, unless it is told otherwise.
  public static KernelGatewayBuilder builder() {
    return new KernelGatewayBuilder();
  }

  /// Starts it; it serves when this returns. One that runs is not started again.
  public void start() {
    lock.lock();
    try {
      if (running != null) {
        throw new Problem(Problem.Code.USAGE, "this gateway is running already", "stop it first");
      }
      options.refuseSandbox();
      running = launch();
    } finally {
      lock.unlock();
    }
  }

  private Running launch() {
    var installed = options.options().located();
    var log = options.log();
    var home = PrivateHome.create(installed);
    GatewayProcess process = null;
    try {
      process =
          GatewayProcess.start(
              installed, home, options.env(), options.sandboxed(), options.sandboxFile(), log);
      var url = listen(process);
      var onExit = new Thread(() -> stop(Duration.ofSeconds(2)), "husk-gateway-exit");
      Runtime.getRuntime().addShutdownHook(onExit);
      return new Running(process, home, url, onExit);
    } catch (RuntimeException e) {
      if (process != null) {
        process.kill();
      }
      Leftovers.sweep(home.path());
      home.delete();
      throw e;
    }
  }

  private URI listen(GatewayProcess process) {
    var asked = options.listener(process.environment());
    var url = URI.create(process.ask("POST", "/listeners", asked).path("url").asString());
    if (url.getPort() < 1) {
      throw new Problem(
          Problem.Code.ADDRESS_UNAVAILABLE,
          "the gateway cannot listen on " + asked.get("host") + ", port " + asked.get("port"),
          "choose another port; 0 takes any that is free");
    }
    return url;
  }

  /// Its process, while it runs.
  ProcessHandle process() {
    return required().process.handle();
  }

  /// Where it serves.
  public URI url() {
    return required().url;
  }

  /// The host it serves on.
  public String host() {
    return url().getHost();
  }

  /// The port it serves on; the one that was found free, if any would do.
  public int port() {
    return url().getPort();
  }

  /// Whether it serves.
  public boolean isRunning() {
    var current = running;
    return current != null && current.process.handle().isAlive();
  }

  /// Waits until it has ended.
  public void join() {
    var current = running;
    if (current != null) {
      current.process.handle().onExit().join();
    }
  }

  /// Stops it with its kernels, within 10 s.
  public void stop() {
    stop(STOP);
  }

  /// Stops it with its kernels. What has not ended after `timeout` is killed, with all it started.
  /// When this returns, nothing of it is left.
  public void stop(Duration timeout) {
    lock.lock();
    try {
      var ending = running;
      if (ending != null) {
        running = null;
        forgetHook(ending.onExit);
        end(ending, timeout);
      }
    } finally {
      lock.unlock();
    }
  }

  private static void end(Running ending, Duration timeout) {
    if (!endsGently(ending.process, timeout)) {
      ending.process.kill();
    }
    try {
      // Also for one that was killed by somebody else.
      Leftovers.endKernels(ending.process.environment());
    } finally {
      Leftovers.sweep(ending.home.path());
      ending.home.delete();
    }
  }

  private static boolean endsGently(GatewayProcess process, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      return false;
    }
    // What it is asked may take long to be answered, if it is stuck.
    Thread.ofVirtual().start(() -> askToStop(process));
    try {
      return process.endsWithin(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void askToStop(GatewayProcess process) {
    try {
      process.ask("POST", "/daemon/stop", Map.of("kernels", true));
    } catch (Problem gone) {
      // Then there is nothing to stop.
    }
  }

  private static void forgetHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // It is the hook that stops it.
    }
  }

  /// Stops it.
  @Override
  public void close() {
    stop();
  }

  private Running required() {
    var current = running;
    if (current == null) {
      throw new Problem(Problem.Code.USAGE, "this gateway is not running", "start it first");
    }
    return current;
  }
}
