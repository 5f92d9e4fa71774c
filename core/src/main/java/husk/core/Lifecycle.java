package husk.core;

import husk.core.ReadyKernels.ReadyKernel;
import husk.kernels.ProcFs;
import husk.kernels.ProcessTree;
import husk.kernels.Signals;
import husk.kernels.Threads;
import husk.model.Death;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.Ids;
import husk.model.KernelOptions;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Names;
import husk.model.Problem;
import husk.store.Registry;
import husk.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/// From a name to a living kernel and back: create, revive, restart, destroy.
///
/// Who starts a kernel is settled in the registry, so that threads, daemons and libraries that ask
/// for one name at once get one kernel: the winner's row says STARTING and names the process that
/// starts it; all others wait for that, and take over should that process die.
final class Lifecycle {
  private static final Duration OTHERS_START = Duration.ofSeconds(90);
  private static final int AT_ONCE = 8;
  private static final System.Logger LOG = System.getLogger("husk.core");

  private final Registry registry;
  private final Kernels kernels;
  private final Preparation preparation;
  private final ReadyKernels ready;
  private final Places places;
  private final Executor executor;
  private final Observer observer;
  private final Checkpoints checkpoints;

  Lifecycle(
      Registry registry,
      Kernels kernels,
      Preparation preparation,
      ReadyKernels ready,
      Places places,
      Executor executor,
      Checkpoints checkpoints,
      Observer observer) {
    this.registry = registry;
    this.kernels = kernels;
    this.preparation = preparation;
    this.ready = ready;
    this.places = places;
    this.executor = executor;
    this.checkpoints = checkpoints;
    this.observer = observer;
  }

  /// A living kernel.
  ///
  /// @param stateLost whether one of its name had died, so that its variables are gone
  /// @param restoredFrom the checkpoint that one which had died was brought back to instead
  record Alive(KernelRecord record, boolean stateLost, Optional<String> restoredFrom) {
    Alive(KernelRecord record, boolean stateLost) {
      this(record, stateLost, Optional.empty());
    }
  }

  Alive getOrCreate(String name, KernelOptions options, Settings settings, Caller caller) {
    Names.require(name);
    var known = registry.find(name);
    if (known.filter(this::isLost).isPresent()) {
      destroy(known.get());
      var anew = create(Optional.of(name), options, settings, caller, false);
      return new Alive(anew.record(), true);
    }
    known.ifPresent(record -> requireSame(name, options, record));
    return known.isPresent()
        ? revive(known.get())
        : create(Optional.of(name), options, settings, caller, false);
  }

  private void requireSame(String name, KernelOptions options, KernelRecord record) {
    var home = kernels.knownLaunch(record.kernelId()).flatMap(StoredLaunch::home);
    KernelHomes.requireSame(name, options.place(), home);
  }

  /// Whether there is only a row of it, from which nothing can be started.
  private boolean isLost(KernelRecord record) {
    return kernels.knownLaunch(record.kernelId()).isEmpty()
        && record.process().filter(ProcFs::alive).isEmpty()
        // Whoever is destroying it takes the launch with the row.
        && registry.find(record.kernelId()).isPresent();
  }

  KernelRecord createNew(
      Optional<String> name, KernelOptions options, Settings settings, Caller caller) {
    name.ifPresent(Names::require);
    options.sessionName().ifPresent(Names::require);
    // A dead kernel's name is free again.
    name.flatMap(registry::find)
        .map(kernels::refreshed)
        .filter(record -> record.status() == KernelStatus.DEAD)
        .ifPresent(this::destroy);
    return create(name, options, settings, caller, true).record();
  }

  private Alive create(
      Optional<String> name,
      KernelOptions options,
      Settings settings,
      Caller caller,
      boolean mustBeNew) {
    var plan = preparation.plan(name, options, settings, caller);
    var standing = ready.take(plan);
    var prepared = plan.as(standing.map(ReadyKernel::kernelId).orElseGet(Ids::fresh));
    KernelRecord winner;
    try {
      winner = claim(prepared, settings.maxKernels());
    } catch (RuntimeException e) {
      standing.ifPresent(ready::discard);
      throw e;
    }
    if (!winner.kernelId().equals(prepared.record().kernelId())) {
      standing.ifPresent(ready::discard);
      if (mustBeNew) {
        throw exists(winner, name);
      }
      return revive(winner);
    }
    try {
      if (standing.filter(ready::give).isPresent()) {
        return new Alive(started(winner, standing.get().process(), settings), false);
      }
      preparation.writeFiles(prepared);
      return new Alive(ready.byHand(() -> start(winner, settings)), false);
    } catch (RuntimeException e) {
      kernels.forget(winner, places);
      throw e;
    }
  }

  /// Kernels that died unnoticed count as living until somebody looks.
  private KernelRecord claim(Preparation.Prepared prepared, int mostLiving) {
    var launch = Json.text(prepared.launch());
    try {
      return registry.claim(prepared.record(), launch, mostLiving);
    } catch (Problem problem) {
      if (problem.code() != Problem.Code.CAPACITY_EXHAUSTED) {
        throw problem;
      }
      registry.list().forEach(kernels::refreshed);
      return registry.claim(prepared.record(), launch, mostLiving);
    }
  }

  private static Problem exists(KernelRecord record, Optional<String> name) {
    return new Problem(
        Problem.Code.KERNEL_ALREADY_EXISTS,
        "Kernel name already exists: " + name.or(record::name).orElse(record.kernelId()),
        "use it with `husk exec --name …`, or `husk destroy` it first");
  }

  /// A known kernel, alive: as it is, or started anew if its process is gone.
  Alive revive(KernelRecord record) {
    long deadline = System.nanoTime() + OTHERS_START.toNanos();
    var present = record;
    while (true) {
      switch (kernels.refreshed(present)) {
        case KernelRecord now when now.status().alive() -> {
          return new Alive(now, false);
        }
        case KernelRecord now when now.status() == KernelStatus.DEAD -> {
          if (claimStart(now)) {
            return comeBack(now);
          }
        }
        case KernelRecord now -> {
          if (now.process().filter(ProcFs::alive).isEmpty() && claimStart(now)) {
            // Whoever was starting it is gone; a process may or may not have come of it.
            return new Alive(startAgain(now), true);
          }
          if (System.nanoTime() > deadline) {
            throw new Problem(
                Problem.Code.KERNEL_START_FAILED,
                "kernel `" + now.kernelId() + "` is still being started by another process");
          }
          Threads.sleep(4);
        }
      }
      present = registry.find(record.kernelId()).orElseThrow(() -> unknown(record.kernelId()));
    }
  }

  /// Takes the right to start a kernel, unless somebody else was quicker.
  private boolean claimStart(KernelRecord seen) {
    var won = new AtomicBoolean();
    registry.update(
        seen.kernelId(),
        now -> {
          won.set(now.status() == seen.status() && now.process().equals(seen.process()));
          return won.get() ? now.startingBy(Self.PROCESS) : now;
        });
    return won.get();
  }

  /// At its last checkpoint, if it has one that lives; else from nothing.
  private Alive comeBack(KernelRecord former) {
    var last = checkpoints.latest(former);
    if (last.isPresent()) {
      try {
        endStray(former);
        var back = checkpoints.startFrom(former, last.get());
        return new Alive(back, false, Optional.of(last.get().label().orElse(last.get().id())));
      } catch (Problem unusable) {
        LOG.log(System.Logger.Level.WARNING, unusable.text());
      }
    }
    return new Alive(startAgain(former), true);
  }

  private KernelRecord startAgain(KernelRecord former) {
    endStray(former);
    var row = registry.find(former.kernelId()).orElseThrow(() -> unknown(former.kernelId()));
    try {
      return start(row, executor.defaults());
    } catch (RuntimeException e) {
      // The row still names this process, which was starting it, where the kernel's would stand.
      registry.update(
          row.kernelId(), now -> now.startFailed(Death.unknown("it could not be started")));
      throw e;
    }
  }

  /// Whatever is left of a former process, its children above all, must not live on beside the new.
  private void endStray(KernelRecord former) {
    ProcessTree.kill(
        former.status() == KernelStatus.STARTING
            ? Kernels.NOBODY
            : former.process().orElse(Kernels.NOBODY),
        former.kernelId());
  }

  private KernelRecord start(KernelRecord row, Settings settings) {
    long began = System.nanoTime();
    var process = kernels.start(row.kernelId());
    observer.started(Duration.ofNanos(System.nanoTime() - began));
    return started(row, process, settings);
  }

  private KernelRecord started(KernelRecord row, KernelProcess process, Settings settings) {
    var started =
        registry
            .update(row.kernelId(), now -> now.started(process, Optional.empty(), Instant.now()))
            .orElseThrow(() -> destroyedMeanwhile(row, process));
    var failure = runStartupCode(started, settings);
    return failure.isEmpty()
        ? started
        : registry
            .update(row.kernelId(), now -> now.started(process, failure, Instant.now()))
            .orElse(started);
  }

  /// Without a row nobody would ever find the process again.
  private static Problem destroyedMeanwhile(KernelRecord row, KernelProcess process) {
    ProcessTree.kill(process, row.kernelId());
    return unknown(row.name().orElse(row.kernelId()));
  }

  private Optional<String> runStartupCode(KernelRecord record, Settings settings) {
    var code = kernels.launch(record.kernelId()).startupCode();
    if (code.isEmpty()) {
      return Optional.empty();
    }
    var result =
        executor.run(
            record,
            false,
            ExecuteRequest.of(code.get()).silently(),
            settings,
            ExecutionEvent.Listener.NONE);
    return result.ok()
        ? Optional.empty()
        : Optional.of(
            result
                .error()
                .map(error -> error.ename() + ": " + error.evalue())
                .orElse(result.status().wireName()));
  }

  /// A new process under the same name, with the same connection file.
  KernelRecord restart(KernelRecord record) {
    var kernel = kernels.live(record.kernelId());
    kernel.lifecycle.lock();
    try {
      var now = registry.find(record.kernelId()).orElseThrow(() -> unknown(record.kernelId()));
      if (now.status() == KernelStatus.STARTING || !claimStart(now)) {
        return revive(now).record();
      }
      kernels.end(now);
      return startAgain(now);
    } finally {
      kernel.lifecycle.unlock();
    }
  }

  /// Ends a kernel; when this returns, its processes, sockets, connection file and key are gone.
  /// Whatever state it is in, and whatever of it is missing: only processes that do not die, and a
  /// row that cannot be removed, are a failure.
  void destroy(KernelRecord record) {
    checkpoints.dropAll(record);
    Steps.take("ask a kernel to end", () -> askToShutDown(record));
    endWherever(record);
    // Whoever saw it dead may have started it anew meanwhile.
    registry
        .find(record.kernelId())
        .filter(now -> !now.process().equals(record.process()))
        .ifPresent(kernels::end);
    kernels.forget(record, places);
  }

  /// With its sandbox, or by itself.
  private void endWherever(KernelRecord record) {
    var left = new AtomicBoolean();
    Steps.take("leave a sandbox", () -> left.set(kernels.leave(record)));
    if (!left.get()) {
      kernels.end(record);
    }
  }

  /// Ends what a process that was killed only tried something in.
  void discardAbandonedTries() {
    registry.list().stream()
        .filter(record -> record.name().isEmpty() && abandoned(record.kernelId()))
        .forEach(record -> Steps.take("end what was only a try", () -> discard(record)));
  }

  private boolean abandoned(String kernelId) {
    return kernels
        .knownLaunch(kernelId)
        .flatMap(StoredLaunch::triedBy)
        .filter(trier -> !ProcFs.alive(trier))
        .isPresent();
  }

  /// Ends a kernel that nobody knows, without letting its code clean up.
  void discard(KernelRecord record) {
    endWherever(record);
    kernels.forget(record, places);
  }

  /// Lets the code in the kernel clean up after itself, for a short while.
  private void askToShutDown(KernelRecord record) {
    var client = kernels.live(record.kernelId()).openClient();
    if (client == null || kernels.live(record.kernelId()).busy || !kernels.alive(record)) {
      return;
    }
    kernels.live(record.kernelId()).killedHere = true;
    try {
      client.ask(
          "shutdown_request",
          Json.MAPPER.createObjectNode().put("restart", false),
          Duration.ofSeconds(1));
      long deadline = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      while (record.process().map(ProcFs::alive).orElse(false) && System.nanoTime() < deadline) {
        Threads.sleep(2);
      }
    } catch (Problem unanswered) {
      // it is killed next
    }
  }

  List<String> destroyAll() {
    var records = registry.list();
    records.forEach(checkpoints::dropAll);
    var gone = leaveAll(records);
    var left = records.stream().filter(record -> !gone.contains(record.kernelId())).toList();
    var trees = new HashMap<String, KernelProcess>();
    for (var record : left) {
      if (record.status() != KernelStatus.STARTING) {
        record.process().ifPresent(process -> trees.put(record.kernelId(), process));
      }
    }
    ProcessTree.kill(trees);
    var failures = new ArrayList<RuntimeException>();
    left.forEach(record -> attempt(() -> kernels.end(record), failures));
    records.forEach(record -> attempt(() -> kernels.forget(record, places), failures));
    // After one kernel the reaper does it, soon: the next change of the registry waits for the
    // disk.
    Steps.take("clean the registry's log", registry::cleanse);
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
    return records.stream().map(KernelRecord::kernelId).toList();
  }

  /// One that cannot be ended or forgotten is no reason to keep the others.
  private static void attempt(Runnable step, List<RuntimeException> failures) {
    try {
      step.run();
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }

  /// The ids of those that ended with their sandbox.
  private Set<String> leaveAll(List<KernelRecord> records) {
    var gone = ConcurrentHashMap.<String>newKeySet();
    try (var several = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      for (var record : records) {
        several.execute(
            () -> {
              Steps.take(
                  "leave a sandbox",
                  () -> {
                    if (kernels.leave(record)) {
                      gone.add(record.kernelId());
                    }
                  });
            });
      }
    }
    return gone;
  }

  /// Interrupts whatever the kernel runs; its variables stay.
  void interrupt(KernelRecord record) {
    var process = record.process().orElseThrow(() -> unknown(record.kernelId()));
    if (!kernels.alive(record)) {
      throw new Problem(
          Problem.Code.KERNEL_NOT_FOUND,
          "kernel `" + record.name().orElse(record.kernelId()) + "` is dead; nothing runs in it",
          "`husk restart` starts it afresh");
    }
    if (kernels.launch(record.kernelId()).interruptMode().equals("message")) {
      kernels
          .client(record)
          .ask("interrupt_request", Json.MAPPER.createObjectNode(), Duration.ofSeconds(5));
    } else {
      // A kernel leads its own group, so its children hear it too.
      Signals.sendToGroup(process.pid(), Signals.INT);
    }
  }

  static Problem unknown(String identifier) {
    return new Problem(
        Problem.Code.KERNEL_NOT_FOUND,
        "Unknown kernel: " + identifier,
        "`husk list` shows the kernels there are",
        "`husk create --name …` makes one");
  }
}
