package husk.kernels;

import husk.model.Problem;
import husk.wire.Json;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// Keeps one warm parent per interpreter, starting it when it is first needed.
///
/// A parent's socket is named after its interpreter, its preloaded modules and the guest's code, so
/// that several daemons and libraries share one, and a new version of Husk gets a new one.
public final class WarmParents implements AutoCloseable {
  private static final ReentrantLock STARTING = new ReentrantLock();
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final Path directory;
  private final Path guest;
  private final Duration linger;
  private final BiConsumer<String, Exit> onExit;
  private final Map<Interpreter, WarmParent> parents = new ConcurrentHashMap<>();

  /// Starts nothing yet.
  ///
  /// @param directory where the sockets and logs are kept
  /// @param guest the folder of the guest's Python code
  /// @param linger how long a parent without kernels outlives its last client
  /// @param onExit hears of every kernel's end
  public WarmParents(Path directory, Path guest, Duration linger, BiConsumer<String, Exit> onExit) {
    this.directory = directory;
    this.guest = guest;
    this.linger = linger;
    this.onExit = onExit;
  }

  /// The parent of this interpreter's kernels.
  public WarmParent of(Interpreter interpreter) {
    // compute() lets one caller start it while others of the same interpreter wait.
    return parents.compute(
        interpreter,
        (_, known) -> known != null && known.isOpen() ? known : attachOrStart(interpreter));
  }

  private WarmParent attachOrStart(Interpreter interpreter) {
    var socket = directory.resolve("z-" + fingerprint(interpreter) + ".sock");
    try {
      return attach(socket);
    } catch (IOException notThere) {
      return start(interpreter, socket);
    }
  }

  private WarmParent attach(Path socket) throws IOException {
    return new WarmParent(JsonLines.connect(socket), onExit);
  }

  private WarmParent start(Interpreter interpreter, Path socket) {
    var name = socket.getFileName().toString().replace(".sock", "");
    var log = directory.resolve(name + ".log");
    // One lock keeps other threads, the other keeps other processes from starting it twice.
    STARTING.lock();
    try (var lockFile =
            FileChannel.open(
                directory.resolve("z.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lockFile.lock()) {
      try {
        return attach(socket);
      } catch (IOException stillNotThere) {
        var process = launch(interpreter, socket, log);
        return awaitSocket(interpreter, process, socket, log);
      }
    } catch (IOException e) {
      throw broken(interpreter, e.toString(), log);
    } finally {
      STARTING.unlock();
    }
  }

  private Process launch(Interpreter interpreter, Path socket, Path log) throws IOException {
    var command = new ArrayList<String>();
    command.addAll(List.of("setsid", interpreter.executable().toString(), "-B"));
    command.addAll(List.of(guest.resolve("zygote.py").toString(), "--socket", socket.toString()));
    command.addAll(List.of("--log", log.toString()));
    command.addAll(List.of("--linger", Long.toString(linger.toSeconds())));
    porter().ifPresent(library -> command.addAll(List.of("--porter", library.toString())));
    if (!interpreter.preload().isEmpty()) {
      command.addAll(List.of("--preload", String.join(",", interpreter.preload())));
    }
    var builder = new ProcessBuilder(command);
    BaseEnvironment.reduce(builder.environment());
    builder.environment().put("IPYTHONDIR", directory.resolve("ipython").toString());
    return builder
        .directory(new File("/"))
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .redirectErrorStream(true)
        .start();
  }

  private WarmParent awaitSocket(Interpreter interpreter, Process process, Path socket, Path log) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        return attach(socket);
      } catch (IOException notYet) {
        if (!process.isAlive()) {
          throw broken(interpreter, "it ended at once", log);
        }
        Threads.sleep(3);
      }
    }
    process.destroyForcibly();
    throw broken(interpreter, "it did not come up within " + START_LIMIT.toSeconds() + " s", log);
  }

  private static Problem broken(Interpreter interpreter, String why, Path log) {
    var said = LogTail.read(log, 2000).strip();
    var python = interpreter.executable();
    return new Problem(
        Problem.Code.ENVIRONMENT_BROKEN,
        "cannot start kernels with `" + python + "`: " + why + (said.isEmpty() ? "" : "\n" + said),
        "it needs IPython and pyzmq: `" + python + " -m pip install ipython pyzmq`",
        "`husk setup --python " + python + "` does that; `husk doctor` shows what is missing");
  }

  /// The library by which kernels can be copied: of an installation, or as `make` leaves it.
  private Optional<Path> porter() {
    var agent = guest.resolveSibling("agent");
    return Stream.of(agent, agent.resolve("build"))
        .map(folder -> folder.resolve("husk-porter.so"))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private String fingerprint(Interpreter interpreter) {
    var porter = porter().map(Fingerprint::ofFile).orElse("");
    return Fingerprint.of(Json.text(interpreter), Fingerprint.ofTree(guest), porter)
        .substring(0, 12);
  }

  @Override
  public void close() {
    parents.values().forEach(WarmParent::close);
    parents.clear();
  }
}
