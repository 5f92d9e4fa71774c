package husk.kernels;

import husk.model.KernelProcess;
import husk.model.Problem;
import husk.spi.Tenancy;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// A line to one warm parent: the Python process that kernels are forked from, and that outlives
/// the daemon so that somebody always sees how a kernel ends.
///
/// Requests are numbered; one reader thread hands each answer to whoever asked, and each
/// announcement of an end to `onExit`.
public final class WarmParent implements AutoCloseable {
  private static final Duration SPAWN_LIMIT = Duration.ofSeconds(60);

  private final JsonLines line;
  private final BiConsumer<String, Exit> onExit;
  private final AtomicLong ids = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private volatile boolean open = true;

  WarmParent(JsonLines line, BiConsumer<String, Exit> onExit) {
    this.line = line;
    this.onExit = onExit;
    Threads.start("husk-warm-parent", this::read);
  }

  /// What it is: its pid, versions, and which modules it could not preload.
  public JsonNode hello() {
    return ask(Map.of("op", "hello"));
  }

  /// Starts a kernel's process; it has bound its sockets, or runs its command, when this returns.
  ///
  /// @param tenancy the sandbox it moves into, unless it stays outside
  public KernelProcess start(Launch launch, Optional<Tenancy> tenancy) {
    var request = new LinkedHashMap<String, Object>();
    request.put("op", launch.forked() ? "spawn" : "exec");
    request.put("kernel_id", launch.kernelId());
    request.put("connection_file", launch.connectionFile().toString());
    request.put("directory", launch.directory().toString());
    request.put("argv", launch.argv());
    request.put("live_state", launch.copyable());
    request.put("cwd", launch.cwd().toString());
    // Not through the parent's memory, which every later kernel inherits a copy of.
    var variables = launch.directory().resolve("env.json");
    PrivateFiles.write(variables, Json.text(launch.env()));
    request.put("env_file", variables.toString());
    tenancy.ifPresent(place -> request.put("housing", housing(place)));
    var answer = ask(request);
    return process(
        answer,
        () ->
            new Problem(
                Problem.Code.KERNEL_START_FAILED,
                "cannot start a kernel: " + why(answer),
                "look at the kernel's log: " + launch.log()));
  }

  /// Copies the memory of a kernel once it parks for it, which it must be asked to meanwhile.
  public KernelProcess snapshot(String kernelId, Path directory, String snapshotId) {
    var answer =
        ask(
            Map.of(
                "op",
                "snapshot",
                "kernel_id",
                kernelId,
                "directory",
                directory.toString(),
                "snapshot_id",
                snapshotId));
    return process(
        answer,
        () -> new Problem(Problem.Code.COPY_FAILED, "cannot copy the kernel: " + why(answer)));
  }

  /// Begins to start a kernel on a copy of a snapshot.
  ///
  /// @param fork whether it is somebody else than the original, and must not draw its numbers
  public Revival revive(String snapshotId, Launch launch, Optional<Tenancy> tenancy, boolean fork) {
    return new Revival(this, launch, begin(revival(snapshotId, launch, tenancy, fork)));
  }

  /// Tells a copy of a kernel to go on, or to end.
  void release(String kernelId, boolean go) {
    ask(Map.of("op", "release", "kernel_id", kernelId, "go", go));
  }

  private static Map<String, Object> revival(
      String snapshotId, Launch launch, Optional<Tenancy> tenancy, boolean fork) {
    var request = new LinkedHashMap<String, Object>();
    request.put("op", "revive");
    request.put("snapshot_id", snapshotId);
    request.put("fork", fork);
    request.put("held", true);
    request.put(
        "env", Map.of(ProcessTree.MARKER, launch.env().getOrDefault(ProcessTree.MARKER, "")));
    request.put("kernel_id", launch.kernelId());
    request.put("connection_file", launch.connectionFile().toString());
    request.put("directory", launch.directory().toString());
    request.put("cwd", launch.cwd().toString());
    tenancy.ifPresent(place -> request.put("housing", housing(place)));
    return request;
  }

  /// Lets go of a snapshot, or of the wish for one. False when there was none.
  public boolean drop(String snapshotId) {
    return ask(Map.of("op", "drop", "snapshot_id", snapshotId)).path("dropped").asBoolean();
  }

  static KernelProcess process(JsonNode answer, Supplier<Problem> refusal) {
    if (!answer.path("ok").asBoolean()) {
      throw refusal.get();
    }
    return new KernelProcess(answer.path("pid").asLong(), answer.path("start_time").asLong());
  }

  static String why(JsonNode answer) {
    return answer.path("error").path("message").asString("no reason");
  }

  private static Map<String, Object> housing(Tenancy place) {
    return Map.of(
        "pid", place.pid(),
        "family", place.family(),
        "uid", place.uid(),
        "gid", place.gid(),
        "cgroups", place.cgroups().stream().map(Path::toString).toList(),
        "rlimits", place.rlimits(),
        "seccomp", place.filter().toString(),
        "porter_seccomp", place.porterFilter().toString());
  }

  public boolean isOpen() {
    return open;
  }

  private JsonNode ask(Map<String, Object> request) {
    try (var asked = begin(request)) {
      return asked.answer();
    }
  }

  private Asked begin(Map<String, Object> request) {
    var asked = new Asked(ids.incrementAndGet(), new CompletableFuture<>());
    waiting.put(asked.id, asked.answer);
    try {
      var numbered = new LinkedHashMap<>(request);
      numbered.put("id", asked.id);
      if (!open) {
        throw new IOException("it has ended");
      }
      line.send(numbered);
      return asked;
    } catch (IOException e) {
      asked.close();
      throw unanswered(e);
    }
  }

  private static Problem unanswered(Exception cause) {
    return new Problem(
            Problem.Code.KERNEL_START_FAILED, "the warm Python parent does not answer: " + cause)
        .causedBy(cause);
  }

  /// A request that was sent.
  final class Asked implements AutoCloseable {
    private final long id;
    private final CompletableFuture<JsonNode> answer;

    Asked(long id, CompletableFuture<JsonNode> answer) {
      this.id = id;
      this.answer = answer;
    }

    JsonNode answer() {
      try {
        return answer.get(SPAWN_LIMIT.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        throw unanswered(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Problem(Problem.Code.KERNEL_START_FAILED, "interrupted while starting a kernel");
      }
    }

    @Override
    public void close() {
      waiting.remove(id);
    }
  }

  private void read() {
    try {
      for (var message = line.receive(); message != null; message = line.receive()) {
        dispatch(message);
      }
    } catch (IOException | Problem e) {
      // the line is gone; below says so to whoever waits
    } finally {
      close();
    }
  }

  private void dispatch(JsonNode message) {
    if (message.path("event").asString("").equals("exit")) {
      onExit.accept(message.path("kernel_id").asString(""), Exit.parse(message));
      return;
    }
    var answer = waiting.get(message.path("id").asLong());
    if (answer != null) {
      answer.complete(message);
    }
  }

  @Override
  public void close() {
    open = false;
    line.close();
    waiting.values().forEach(w -> w.completeExceptionally(new IOException("it has ended")));
  }
}
