package husk.core;

import husk.kernels.Cell;
import husk.kernels.ConnectionFiles;
import husk.kernels.Exit;
import husk.kernels.KernelClient;
import husk.kernels.LastWords;
import husk.kernels.LogTail;
import husk.kernels.PrivateFiles;
import husk.kernels.ProcFs;
import husk.kernels.ProcessTree;
import husk.kernels.Threads;
import husk.kernels.WarmParents;
import husk.model.Death;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.sandboxes.Sandboxes;
import husk.spi.Mount;
import husk.spi.Tenancy;
import husk.store.ExecutionRow;
import husk.store.Registry;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// The processes behind the names: starts them, connects to them, notices their end, ends them.
///
/// A kernel lives while its process does. Whether it is busy, or slow to answer, is no part of
/// that.
final class Kernels {
  /// For those who look for what is marked as a kernel's, and nothing else.
  static final KernelProcess NOBODY = new KernelProcess(0, Long.MAX_VALUE);

  private static final Duration CONNECT = Duration.ofSeconds(60);
  private static final Duration EXIT_NEWS = Duration.ofMillis(800);

  private final Registry registry;
  private final Places places;
  private final KernelNotes notes;
  private final Doings doings;
  private final WarmParents parents;
  private final KernelHomes homes;
  private final InnerPorts innerPorts = new InnerPorts();
  private final Map<String, LiveKernel> live = new ConcurrentHashMap<>();
  private volatile boolean closing;

  Kernels(
      Registry registry,
      Places places,
      Duration linger,
      Supplier<Sandboxes> sandboxes,
      Doings doings) {
    this.registry = registry;
    this.places = places;
    this.notes = new KernelNotes(places);
    this.doings = doings;
    this.parents = new WarmParents(places.sockets(), places.guest(), linger, this::onExit);
    this.homes = new KernelHomes(sandboxes, parents);
  }

  LiveKernel live(String kernelId) {
    return live.computeIfAbsent(kernelId, LiveKernel::new);
  }

  KernelHomes homes() {
    return homes;
  }

  WarmParents parents() {
    return parents;
  }

  /// How a kernel is started. It never changes, so it is read once.
  StoredLaunch launch(String kernelId) {
    var kernel = live(kernelId);
    var known = kernel.launch;
    if (known.isEmpty()) {
      known = Optional.of(read(kernelId));
      kernel.launch = known;
    }
    return known.get();
  }

  private StoredLaunch read(String kernelId) {
    return stored(kernelId).orElseThrow(() -> lostOrGone(kernelId));
  }

  /// The same; empty when it is lost, or makes no sense.
  Optional<StoredLaunch> knownLaunch(String kernelId) {
    var kernel = live.get(kernelId);
    return kernel != null && kernel.launch.isPresent() ? kernel.launch : stored(kernelId);
  }

  private Optional<StoredLaunch> stored(String kernelId) {
    return registry
        .launch(kernelId)
        .flatMap(Kernels::understood)
        .or(() -> notes.launch(kernelId).flatMap(Kernels::understood));
  }

  private static Optional<StoredLaunch> understood(String launchJson) {
    try {
      return Optional.of(Json.read(launchJson, StoredLaunch.class));
    } catch (RuntimeException senseless) {
      return Optional.empty();
    }
  }

  /// A kernel's private folder, whatever is known of it.
  Path directory(String kernelId) {
    return places.kernel(kernelId);
  }

  /// Where a kernel writes its log, whatever is known of it.
  Path log(String kernelId) {
    return knownLaunch(kernelId)
        .map(stored -> stored.launch().log())
        .orElse(places.kernel(kernelId).resolve("log"));
  }

  private Problem lostOrGone(String kernelId) {
    return registry.find(kernelId).map(Kernels::lost).orElseGet(() -> gone(kernelId));
  }

  private static Problem lost(KernelRecord record) {
    var shown = record.name().orElse(record.kernelId());
    return new Problem(
        Problem.Code.KERNEL_START_FAILED,
        "how kernel `" + shown + "` is started is no longer known: its registry was damaged",
        "`husk destroy --name " + shown + "`, and make it anew");
  }

  private static Problem gone(String kernelId) {
    return new Problem(
        Problem.Code.KERNEL_NOT_FOUND,
        "kernel `" + kernelId + "` has been destroyed",
        "`husk list` shows the kernels there are");
  }

  /// Starts the process of a kernel whose row this process holds as STARTING, and connects.
  KernelProcess start(String kernelId) {
    var stored = launch(kernelId);
    var kernel = live(kernelId);
    kernel.disconnect();
    kernel.killedHere = false;
    kernel.foreseen = Optional.empty();
    PrivateFiles.delete(stored.launch().directory().resolve("exit.json"));
    restoreFiles(stored);
    try (var _ = doings.begin("starting a kernel on " + stored.interpreter().executable())) {
      return connected(kernel, startProcess(kernelId, stored), stored);
    }
  }

  /// Somebody may have cleaned up too much.
  private static void restoreFiles(StoredLaunch stored) {
    var launch = stored.launch();
    if (stored.own()
        && (Files.notExists(launch.directory()) || Files.notExists(launch.connectionFile()))) {
      Preparation.writeFiles(launch, Preparation.OWN);
    }
  }

  /// Starts one that has no row yet, in a sandbox that stands ready, and connects.
  KernelProcess startUnasked(StoredLaunch stored, Tenancy tenancy) {
    var kernel = live(stored.launch().kernelId());
    kernel.launch = Optional.of(stored);
    kernel.livesIn(Optional.of(tenancy));
    var launch = stored.launch().over(tenancy.env());
    var process = parents.of(stored.interpreter()).start(launch, Optional.of(tenancy));
    return connected(kernel, process, stored);
  }

  /// Starts a kernel on a copy of a snapshot, and connects.
  ///
  /// @param meanwhile what has to be done before the copy goes on
  KernelProcess startCopy(
      StoredLaunch stored,
      Optional<Tenancy> tenancy,
      String snapshotId,
      boolean fork,
      Runnable meanwhile) {
    var kernel = live(stored.launch().kernelId());
    kernel.disconnect();
    kernel.killedHere = false;
    kernel.foreseen = Optional.empty();
    kernel.livesIn(tenancy);
    if (fork) {
      Preparation.writeFiles(stored.launch(), Preparation.OWN);
    }
    PrivateFiles.delete(stored.launch().directory().resolve("exit.json"));
    var parent = parents.of(stored.interpreter());
    var revival = parent.revive(snapshotId, stored.launch(), tenancy, fork);
    revival.goOnAfter(meanwhile);
    var early = callEarly(kernel, stored);
    try {
      return connected(kernel, revival.process(), stored, early);
    } catch (RuntimeException e) {
      var _ = early.thenAccept(KernelClient::close);
      throw e;
    }
  }

  /// Its sockets are there before it is: so it is called while it comes to itself.
  private CompletableFuture<KernelClient> callEarly(LiveKernel kernel, StoredLaunch stored) {
    var line = new CompletableFuture<KernelClient>();
    Threads.start(
        "husk-call-early",
        () -> {
          try {
            line.complete(call(kernel, stored, CONNECT));
          } catch (IOException | RuntimeException e) {
            line.completeExceptionally(e);
          }
        });
    return line;
  }

  private KernelProcess connected(
      LiveKernel kernel,
      KernelProcess process,
      StoredLaunch stored,
      CompletableFuture<KernelClient> early) {
    try {
      keep(kernel, process, early.join());
      return process;
    } catch (CompletionException tooEarly) {
      return connected(kernel, process, stored);
    }
  }

  private KernelProcess connected(LiveKernel kernel, KernelProcess process, StoredLaunch stored) {
    try {
      connect(kernel, process, stored);
      return process;
    } catch (RuntimeException e) {
      kill(kernel, process);
      throw e;
    }
  }

  /// Whether there is a line to this process, and it lives.
  boolean answers(String kernelId, KernelProcess process) {
    return live(kernelId).openClient() != null && ProcFs.alive(process);
  }

  private KernelProcess startProcess(String kernelId, StoredLaunch stored) {
    var parent = parents.of(stored.interpreter());
    var needed = stored.own() ? List.<Mount>of() : KernelPrograms.needed(stored.launch().argv());
    var tenancy =
        stored.home().map(home -> homes.enter(kernelId, home, stored.interpreter(), needed));
    if (!stored.own()) {
      stored.home().ifPresent(home -> innerPorts.prepare(stored, homes.sandbox(home)));
    }
    var launch = tenancy.map(place -> stored.launch().over(place.env())).orElse(stored.launch());
    live(kernelId).livesIn(tenancy);
    return parent.start(launch, tenancy);
  }

  /// The line to a living kernel, made now if there is none.
  KernelClient client(KernelRecord record) {
    var kernel = live(record.kernelId());
    var open = kernel.openClient();
    if (open != null) {
      return open;
    }
    kernel.lifecycle.lock();
    try {
      var meanwhile = kernel.openClient();
      return meanwhile != null
          ? meanwhile
          : reconnect(kernel, record.process().orElseThrow(), launch(record.kernelId()));
    } finally {
      kernel.lifecycle.unlock();
    }
  }

  /// To one that this process may not have started itself.
  private KernelClient reconnect(LiveKernel kernel, KernelProcess process, StoredLaunch stored) {
    if (!kernel.known()) {
      kernel.livesIn(stored.home().flatMap(homes::tenancy));
    }
    return connect(kernel, process, stored);
  }

  private KernelClient connect(LiveKernel kernel, KernelProcess process, StoredLaunch stored) {
    long deadline = System.nanoTime() + CONNECT.toNanos();
    while (true) {
      try {
        if (stored.home().isPresent() && !stored.own()) {
          innerPorts.ensure(stored, () -> homes.sandbox(stored.home().orElseThrow()));
        }
        var limit = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        return keep(kernel, process, call(kernel, stored, limit));
      } catch (IOException e) {
        if (Files.notExists(stored.launch().connectionFile())) {
          // It was destroyed while it was being started.
          throw Lifecycle.unknown(kernel.kernelId);
        }
        if (Files.notExists(stored.launch().directory())) {
          throw unreachable(kernel.kernelId, stored);
        }
        if (!ProcFs.alive(process)) {
          throw startFailed("it ended at once: " + death(kernel, process.pid()).detail(), stored);
        }
        if (System.nanoTime() > deadline) {
          throw startFailed("it does not answer: " + e.getMessage(), stored);
        }
        Threads.sleep(5);
      }
    }
  }

  private static Problem unreachable(String kernelId, StoredLaunch stored) {
    return new Problem(
        Problem.Code.KERNEL_UNRESPONSIVE,
        "kernel `" + kernelId + "` cannot be reached: its folder is gone",
        "restart it, `husk restart --kernel-id " + kernelId + "`; its variables are lost",
        "nobody but Husk should remove what is in " + stored.launch().directory().getParent());
  }

  private KernelClient call(LiveKernel kernel, StoredLaunch stored, Duration limit)
      throws IOException {
    var info = ConnectionFiles.read(stored.launch().connectionFile());
    return KernelClient.connect(info, limit, kernel::onBusy, () -> onHangUp(kernel.kernelId));
  }

  private static KernelClient keep(LiveKernel kernel, KernelProcess process, KernelClient client) {
    kernel.pid = process.pid();
    kernel.connected(client);
    return client;
  }

  private static Problem startFailed(String why, StoredLaunch stored) {
    var said = LogTail.read(stored.launch().log(), 2000).strip();
    return new Problem(
        Problem.Code.KERNEL_START_FAILED,
        "cannot start the kernel: " + why + (said.isEmpty() ? "" : "\n" + said),
        stored.own()
            ? "`husk doctor` looks for what is missing"
            : "try its command: " + String.join(" ", stored.launch().argv()),
        stored.own() || stored.home().isEmpty()
            ? "look at its log: " + stored.launch().log()
            : "it may need files that its sandbox does not show: try `--backend host`");
  }

  boolean alive(KernelRecord record) {
    return record.status() != KernelStatus.STARTING
        && record.status() != KernelStatus.DEAD
        && record.process().map(ProcFs::alive).orElse(false);
  }

  /// The row with what is true now: status and memory.
  KernelRecord refreshed(KernelRecord record) {
    if (record.status() == KernelStatus.STARTING || record.status() == KernelStatus.DEAD) {
      return record;
    }
    if (!alive(record)) {
      return markDead(record);
    }
    return record
        .withStatus(live(record.kernelId()).busy ? KernelStatus.BUSY : KernelStatus.IDLE)
        .withMemory(record.process().flatMap(process -> ProcFs.memory(process.pid())));
  }

  /// Remembers that, and why, a kernel's process is gone.
  KernelRecord markDead(KernelRecord record) {
    if (closing || !diesSoon(record)) {
      return record;
    }
    var kernel = live(record.kernelId());
    long pid = record.process().map(KernelProcess::pid).orElse(0L);
    var cause = death(kernel, pid);
    if (kernel.pid == pid) {
      // Otherwise the line is that of its successor.
      kernel.disconnect();
    }
    return noted(record, cause).filter(row -> row.death().isPresent()).orElse(record.died(cause));
  }

  /// What cannot be written down, on a full disk, is true nevertheless.
  private Optional<KernelRecord> noted(KernelRecord record, Death cause) {
    try {
      return registry.update(
          record.kernelId(),
          // Somebody may have started it anew in the meantime.
          now ->
              now.process().equals(record.process()) && now.status() != KernelStatus.DEAD
                  ? now.died(cause)
                  : now);
    } catch (Problem unwritten) {
      return Optional.empty();
    }
  }

  /// A process closes its sockets a moment before it is gone; one that stays has only lost its
  /// line.
  private static boolean diesSoon(KernelRecord record) {
    long deadline = System.nanoTime() + EXIT_NEWS.toNanos();
    while (record.process().map(ProcFs::alive).orElse(false)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Threads.sleep(2);
    }
    return true;
  }

  /// Whether lines to kernels are being hung up from this end.
  boolean closing() {
    return closing;
  }

  /// Why a process ended, from its parent's announcement or from what the parent wrote down.
  private Death death(LiveKernel kernel, long pid) {
    if (pid != 0 && kernel.replaced == pid) {
      return Death.replaced();
    }
    if (kernel.foreseen.isPresent()) {
      return kernel.foreseen.get();
    }
    return announcedExit(kernel, pid)
        .or(() -> writtenExit(kernel.kernelId, pid))
        .orElse(Exit.unseen(pid))
        .toDeath(kernel.memoryRanOut(), memoryLimit(kernel.kernelId));
  }

  private Optional<Long> memoryLimit(String kernelId) {
    return knownLaunch(kernelId).flatMap(StoredLaunch::home).flatMap(homes()::memoryLimit);
  }

  private static Optional<Exit> announcedExit(LiveKernel kernel, long pid) {
    try {
      return Optional.of(kernel.exit(pid).get(EXIT_NEWS.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Optional<Exit> writtenExit(String kernelId, long pid) {
    try {
      var file = launch(kernelId).launch().directory().resolve("exit.json");
      return Optional.of(Exit.parse(Json.tree(Files.readAllBytes(file))))
          .filter(exit -> exit.pid() == pid);
    } catch (IOException | Problem e) {
      return Optional.empty();
    }
  }

  /// Tells `cell` what a dead kernel had still put out for an execution.
  void replayLastWords(ExecutionRow row, Cell cell) {
    LastWords.replay(places.kernel(row.kernelId()), row.messageId(), cell);
  }

  private void onExit(String kernelId, Exit exit) {
    var kernel = live.get(kernelId);
    if (kernel == null) {
      return;
    }
    kernel.exit(exit.pid()).complete(exit);
    var client = kernel.openClient();
    if (client != null && kernel.pid == exit.pid()) {
      // Descendants may hold its sockets open; its last words are given a moment, then it is over.
      Threads.start(
          "husk-hang-up",
          () -> {
            Threads.sleep(300);
            client.close();
          });
    }
  }

  private void onHangUp(String kernelId) {
    Threads.start("husk-mark-dead", () -> lookAt(kernelId));
  }

  private void lookAt(String kernelId) {
    try {
      registry.find(kernelId).filter(row -> row.status().alive()).ifPresent(this::refreshed);
      Optional.ofNullable(live.get(kernelId)).ifPresent(LiveKernel::hungUp);
    } catch (Problem closing) {
      // the registry is closed already; the next to open it looks again
    }
  }

  /// Ends a kernel's processes and removes every trace of them but its row.
  void end(KernelRecord record) {
    var kernel = live(record.kernelId());
    kernel.killedHere = true;
    kernel.disconnect();
    if (record.status() == KernelStatus.STARTING) {
      // Its row names whoever is starting it, and not what has come of that.
      if (record.process().filter(ProcFs::alive).isEmpty()) {
        Stray.askToEnd(places.connectionFile(record.kernelId()));
      }
      ProcessTree.kill(NOBODY, record.kernelId());
    } else {
      record.process().ifPresent(process -> killOrFail(kernel, process));
    }
  }

  private static void killOrFail(LiveKernel kernel, KernelProcess process) {
    if (!kill(kernel, process)) {
      throw new Problem(
          Problem.Code.INTERNAL,
          "processes of kernel `" + kernel.kernelId + "` do not die",
          "they may hang in the system; try `kill -9 " + process.pid() + "`");
    }
  }

  /// Kills it with all it started; true when nothing of it is left.
  static boolean kill(LiveKernel kernel, KernelProcess process) {
    return kernel
        .group()
        .map(group -> ProcessTree.kill(process, kernel.kernelId, group))
        .orElseGet(() -> ProcessTree.kill(process, kernel.kernelId));
  }

  /// Removes the sandbox that a kernel has to itself, and with it everything that runs inside;
  /// false when there is none.
  boolean leave(KernelRecord record) {
    live(record.kernelId()).killedHere = true;
    live(record.kernelId()).disconnect();
    boolean left = home(record).map(homes::leave).orElse(false);
    live(record.kernelId()).homeless = left;
    return left;
  }

  /// Where it lives; where that is lost, in the sandbox that is called as its own would be.
  private Optional<KernelHome> home(KernelRecord record) {
    var known = knownLaunch(record.kernelId());
    return known.isPresent()
        ? known.get().home()
        : Optional.of(KernelHome.ownOf(record.kernelId()));
  }

  /// Everything but its row may be in any state, or missing.
  void forget(KernelRecord record, Places places) {
    if (!live(record.kernelId()).homeless) {
      Steps.take(
          "remove the sandbox of a kernel", () -> home(record).ifPresent(homes::leaveForGood));
    }
    removeFiles(record.kernelId(), places);
    registry.remove(record.kernelId()).ifPresent(Kernels::endSuccessor);
  }

  /// Whoever saw it dead may have started it anew until its row was gone; whoever does so later
  /// finds no row.
  private static void endSuccessor(KernelRecord last) {
    last.process()
        .filter(_ -> last.status() != KernelStatus.STARTING)
        .filter(ProcFs::alive)
        .ifPresent(process -> ProcessTree.kill(process, last.kernelId()));
  }

  /// What there is of a kernel beside its row and its sandbox.
  void removeFiles(String kernelId, Places places) {
    innerPorts.close(kernelId);
    PrivateFiles.delete(places.connectionFile(kernelId));
    PrivateFiles.delete(places.kernel(kernelId));
    live.remove(kernelId);
  }

  /// Nobody is left in the sandboxes of dead kernels; their files wait for the next start.
  void leaveHomesOfTheDead() {
    registry.list().stream()
        .filter(record -> record.status() == KernelStatus.DEAD)
        .flatMap(record -> knownLaunch(record.kernelId()).flatMap(StoredLaunch::home).stream())
        .forEach(home -> Steps.take("stop a sandbox", () -> homes.standStill(home)));
  }

  void close() {
    closing = true;
    live.values().forEach(LiveKernel::disconnect);
    innerPorts.close();
    parents.close();
  }
}
