package husk.core;

import husk.kernels.ConnectionFiles;
import husk.kernels.Heartbeat;
import husk.kernels.KernelSpec;
import husk.kernels.LogTail;
import husk.kernels.PrivateFiles;
import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.Forked;
import husk.model.Ids;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.StateDiff;
import husk.sandboxes.Backends;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.sandboxes.Sandboxes;
import husk.store.ExecutionRow;
import husk.store.NoteFiles;
import husk.store.Registry;
import husk.store.SqliteRegistry;
import husk.wire.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Everything Husk does, for whoever hosts it: the daemon, or a program that has it in-process.
///
/// Several processes may open a core over the same places; the registry keeps them apart.
public final class Core implements AutoCloseable {
  private static final Duration HEARTBEAT = Duration.ofSeconds(2);
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Places places;
  private final Registry registry;
  private final SettingsResolver resolver;
  private final PythonEnvironments environments;
  private final Preparation preparation;
  private final Kernels kernels;
  private final ReadyKernels ready;
  private final Executor executor;
  private final Lifecycle lifecycle;
  private final Checkpoints checkpoints;
  private final Forks forks;
  private final Promotion promotion;
  private final BestOfN bestOfN;
  private final Diffs diffs;
  private final Previews previews;
  private final EquippedSandboxes equippedSandboxes;
  private final Reaper reaper;
  private final Retries retries = new Retries();
  private final Observers observers = new Observers();
  private final ReentrantLock opening = new ReentrantLock();
  private @Nullable Sandboxes sandboxes;

  private Core(Places places, Registry registry, ResolvedSettings host, Duration linger) {
    this.places = places;
    this.registry = registry;
    this.resolver = new SettingsResolver(places.home());
    var doings = new Doings(places.doing());
    this.environments = new PythonEnvironments(places.environments(), doings);
    this.preparation = new Preparation(places, environments, new LiveStateRule(this::sandboxes));
    this.kernels = new Kernels(registry, places, linger, this::sandboxes, doings);
    this.ready = new ReadyKernels(kernels, places, host.kernelPool());
    this.executor =
        new Executor(
            registry,
            kernels,
            host.settings(),
            new ShellCode(places.guest()),
            record -> interrupt(record),
            observers);
    var copies = new Copies(kernels);
    var files = new KernelFiles(this::sandboxes);
    this.checkpoints = new Checkpoints(registry, kernels, copies, files);
    this.forks = new Forks(registry, kernels, copies, files, this::sandboxes, places);
    this.promotion = new Promotion(registry, kernels, copies, files);
    var fileDiffs = new FileDiffs(files);
    this.diffs = new Diffs(kernels, fileDiffs, places);
    this.previews = new Previews(kernels, checkpoints, diffs, fileDiffs, this::sandboxes);
    executor.tentative().by(checkpoints, previews);
    this.lifecycle =
        new Lifecycle(
            registry, kernels, preparation, ready, places, executor, checkpoints, observers);
    this.bestOfN = new BestOfN(forks, promotion, executor, lifecycle);
    this.equippedSandboxes =
        new EquippedSandboxes(
            this::sandboxes,
            places,
            caller -> environments.existing(settings(caller).settings().python(), caller),
            kernels.homes());
    lifecycle.discardAbandonedTries();
    new Recovery(registry, kernels, executor, new Aftermath(checkpoints, previews)).run();
    this.reaper = new Reaper(registry, kernels, lifecycle);
  }

  /// Opens a core; kernels that outlived an earlier one are found again.
  public static Core open(Places places) {
    return open(places, LINGER);
  }

  /// Opens a core whose warm parents outlive it for `linger`, unless they have kernels.
  public static Core open(Places places, Duration linger) {
    return open(places, linger, Caller.self());
  }

  /// Opens a core whose own doings, such as restarts, follow the settings of `host`.
  public static Core open(Places places, Duration linger, Caller host) {
    PrivateFiles.directory(places.home());
    PrivateFiles.directory(places.runtime());
    PrivateFiles.directory(places.sockets());
    var resolved = new SettingsResolver(places.home()).resolve(host);
    var registry = places.inMemory() ? SqliteRegistry.inMemory() : registry(places);
    try {
      return new Core(places, registry, resolved, linger);
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  private static Registry registry(Places places) {
    var notes = new KernelNotes(places);
    return new NotedRegistry(
        SqliteRegistry.open(places.registry(), new Rebuild(places, notes)), notes);
  }

  /// Has `observer` told what happens from now on.
  public void observe(Observer observer) {
    observers.add(observer);
  }

  public Places places() {
    return places;
  }

  public ResolvedSettings settings(Caller caller) {
    return resolver.resolve(caller);
  }

  public PythonEnvironments environments() {
    return environments;
  }

  public Map<String, KernelSpec> kernelSpecs(Caller caller) {
    return preparation.specs(caller).all();
  }

  /// The sandboxes; opened when they are first asked for.
  public Sandboxes sandboxes() {
    opening.lock();
    try {
      var known = sandboxes;
      if (known == null) {
        var lost = new LostKernels(registry, kernels, places);
        known =
            Sandboxes.open(
                registry.sandboxes(),
                Backends.installed(),
                places.sandboxes(),
                settings(Caller.self()).pool(),
                lost::removeFiles);
        sandboxes = known;
      }
      return known;
    } finally {
      opening.unlock();
    }
  }

  /// How many kernels wait for somebody.
  public int kernelsReady() {
    return ready.size();
  }

  /// Ends what waits for somebody, for somebody who is about to leave: nothing is kept ready any
  /// more.
  public void keepNothingReady() {
    ready.close();
    sandboxes().closePool();
  }

  /// Makes a sandbox; one that stays is made so that kernels can live in it.
  public SandboxInfo createSandbox(SandboxRequest request, Caller caller) {
    return createSandbox(request, Optional.empty(), caller);
  }

  /// The same, with what the project's file says, or the one of this name.
  public SandboxInfo createSandbox(SandboxRequest asked, Optional<String> config, Caller caller) {
    return createSandbox(asked, config, Optional.empty(), caller);
  }

  /// The same, for a command: the tools of its language are there.
  ///
  /// @param program the command's first word
  public SandboxInfo createSandbox(
      SandboxRequest asked, Optional<String> config, Optional<String> program, Caller caller) {
    return equippedSandboxes.create(asked, config, program, caller);
  }

  // Kernels

  /// The living kernel of this name, made now if there is none.
  public KernelRecord getOrCreate(String name, KernelOptions options, Caller caller) {
    return lifecycle.getOrCreate(name, options, settings(caller).settings(), caller).record();
  }

  /// A new kernel; a living one of the same name is a refusal.
  public KernelRecord create(Optional<String> name, KernelOptions options, Caller caller) {
    return lifecycle.createNew(name, options, settings(caller).settings(), caller);
  }

  public Optional<KernelRecord> find(String identifier) {
    return lookUp(identifier).map(kernels::refreshed);
  }

  /// By name or id; an id also the way Jupyter spells it, with dashes.
  private Optional<KernelRecord> lookUp(String identifier) {
    return registry.find(identifier).or(() -> Ids.undashed(identifier).flatMap(registry::find));
  }

  public KernelRecord require(String identifier) {
    return find(identifier).orElseThrow(() -> Lifecycle.unknown(identifier));
  }

  /// All kernels, oldest first, with what is true of them now.
  public List<KernelRecord> list() {
    return registry.list().stream().map(kernels::refreshed).toList();
  }

  /// Whether a living kernel reacts to its heartbeat; a busy one does.
  public boolean responds(KernelRecord record) {
    try {
      return record.status().alive()
          && Heartbeat.answers(ConnectionFiles.read(record.connectionFile()), HEARTBEAT);
    } catch (IOException e) {
      return false;
    }
  }

  /// When a kernel was last made to do something, by whomever.
  public Instant lastActivity(KernelRecord record) {
    var idle =
        Duration.ofNanos(System.nanoTime() - kernels.live(record.kernelId()).lastActiveNanos);
    var active = Instant.now().minus(idle);
    return active.isAfter(record.lastUsedAt()) ? active : record.lastUsedAt();
  }

  /// For a remote client that talks to the kernel over a line of its own.
  ///
  /// @param consent called before each connection; refuses it if it may not be
  /// @param onProcessEnd called when the kernel's process has ended, also if the line still stands
  Attachment attach(String kernelId, Runnable consent, Runnable onProcessEnd) {
    return new Attachment(
        registry, kernels, lifecycle, require(kernelId).kernelId(), consent, onProcessEnd);
  }

  /// The sandbox a kernel lives in.
  Optional<KernelHome> home(KernelRecord record) {
    return kernels.launch(record.kernelId()).home();
  }

  /// Replaces a kernel's labels by `change` of those it has; empty when there is no such kernel.
  public Optional<KernelRecord> tag(String kernelId, UnaryOperator<Map<String, String>> change) {
    return registry
        .update(kernelId, record -> record.withTags(change.apply(record.tags())))
        .map(kernels::refreshed);
  }

  public KernelRecord restart(String identifier) {
    return lifecycle.restart(require(identifier));
  }

  public void interrupt(String identifier) {
    interrupt(require(identifier));
  }

  private void interrupt(KernelRecord record) {
    lifecycle.interrupt(record);
  }

  /// True when there was such a kernel; it is gone when this returns.
  public boolean destroy(String identifier) {
    var record = lookUp(identifier);
    record.ifPresent(lifecycle::destroy);
    return record.isPresent();
  }

  /// Destroys every kernel, and gives their ids.
  public List<String> destroyAll() {
    return lifecycle.destroyAll();
  }

  /// The same, and stops every sandbox, also when a kernel could not be ended; gives how many
  /// kernels were destroyed.
  public int destroyEverything() {
    try {
      return destroyAll().size();
    } finally {
      sandboxes().stopAll();
    }
  }

  // Live state

  /// Running copies of a kernel, one for each name; one without a name is found by its id.
  ///
  /// @param proceed whether to go on when the copies would lack something of the original
  public Forked fork(
      String identifier, List<Optional<String>> names, boolean proceed, Caller caller) {
    return forks.fork(alive(identifier), names, proceed, settings(caller).settings().maxKernels());
  }

  /// The kernel that a fork came from.
  public Optional<String> forkedFrom(KernelRecord record) {
    return kernels.knownLaunch(record.kernelId()).flatMap(StoredLaunch::forkedFrom);
  }

  /// Puts a fork in the place of the kernel it came from.
  public KernelRecord promote(String identifier, String fork) {
    return promotion.promote(require(identifier), alive(fork));
  }

  public CheckpointTaken checkpoint(
      String identifier, Optional<String> label, boolean proceed, Caller caller) {
    long budget = settings(caller).settings().checkpointMemory();
    return checkpoints.take(alive(identifier), label, proceed, budget);
  }

  public List<Checkpoint> checkpoints(String identifier) {
    return checkpoints.all(require(identifier));
  }

  /// Takes a kernel back to a checkpoint, the latest unless one is named by id or label.
  public Checkpoint rollback(String identifier, Optional<String> to) {
    var record = require(identifier);
    var checkpoint = checkpoints.require(record, to);
    checkpoints.rollback(record, checkpoint);
    return checkpoint;
  }

  public Checkpoint dropCheckpoint(String identifier, String checkpoint) {
    var record = require(identifier);
    var dropped = checkpoints.require(record, Optional.of(checkpoint));
    checkpoints.drop(record, dropped);
    return dropped;
  }

  /// How a kernel differs from what it was at a checkpoint, or from another kernel.
  public StateDiff diff(String identifier, Against against) {
    var record = alive(identifier);
    return switch (against) {
      case Against.Latest _ -> diffs.since(record, checkpoints.require(record, Optional.empty()));
      case Against.State(var checkpoint) ->
          diffs.since(record, checkpoints.require(record, Optional.of(checkpoint)));
      case Against.Kernel(var other) -> diffs.with(record, alive(other));
    };
  }

  /// Lets what a kernel's open preview did stay.
  public KernelRecord keepPreview(String identifier) {
    previews.keep(require(identifier));
    return require(identifier);
  }

  /// Takes a kernel back to what it was before its open preview.
  public KernelRecord discardPreview(String identifier) {
    previews.discard(require(identifier));
    return require(identifier);
  }

  /// Tries several pieces of code from a kernel's present state, each in a fork of its own.
  public BestOf bestOf(String identifier, BestOfRequest request, Caller caller) {
    return bestOfN.run(alive(identifier), request, settings(caller).settings());
  }

  KernelRecord alive(String identifier) {
    return lifecycle
        .revive(lookUp(identifier).orElseThrow(() -> Lifecycle.unknown(identifier)))
        .record();
  }

  /// The end of a kernel's log.
  public String log(String identifier) {
    return LogTail.read(kernels.log(require(identifier).kernelId()), 1 << 20);
  }

  // Executions

  /// Runs code on a kernel and waits for its result.
  ///
  /// @param options when present, a kernel that does not exist is made with them
  public ExecutionResult execute(
      String identifier,
      ExecuteRequest request,
      Optional<KernelOptions> options,
      Caller caller,
      ExecutionEvent.Listener listener) {
    var settings = settings(caller).settings();
    var alive =
        options.isPresent()
            ? lifecycle.getOrCreate(identifier, options.get(), settings, caller)
            : lifecycle.revive(lookUp(identifier).orElseThrow(() -> Lifecycle.unknown(identifier)));
    return executor.run(alive, request, settings, listener);
  }

  /// Runs code until it succeeds, at most `maxAttempts` times, or as often as the settings say.
  /// `request` names the whole of it: by that id all of it is cancelled, and its result kept.
  ///
  /// @param onError given the failed result and the attempt's number, counted from 1, says what to
  ///   run next; empty to run the same again
  public ExecutionResult executeWithRetry(
      String identifier,
      ExecuteRequest request,
      Optional<Integer> maxAttempts,
      BiFunction<ExecutionResult, Integer, Optional<String>> onError,
      Optional<KernelOptions> options,
      Caller caller,
      ExecutionEvent.Listener listener) {
    if (registry.execution(request.executionId()).isPresent()) {
      throw Retries.taken(request.executionId());
    }
    int most = maxAttempts.orElseGet(() -> settings(caller).settings().maxRetries());
    var attempts = Retries.withoutEnds(listener);
    var result =
        retries.run(
            request,
            most,
            attempt -> execute(identifier, attempt, options, caller, attempts),
            onError,
            last -> executor.keep(identifier, request, last));
    Executor.tellEnd(listener, result);
    return result;
  }

  /// Asks for the end of an execution; false when it has ended already.
  public boolean cancel(String executionId) {
    return retries.cancel(executionId, this::cancelAttempt) || cancelOne(executionId);
  }

  /// False while it cannot be cancelled because it is yet to begin.
  private boolean cancelAttempt(String executionId) {
    return executor.running(executionId).isPresent() && cancelOne(executionId);
  }

  private boolean cancelOne(String executionId) {
    var running = executor.running(executionId);
    if (running.isEmpty()) {
      requireExecution(executionId);
      return false;
    }
    if (running.get().cancel()) {
      executor.stop(running.get());
    }
    return true;
  }

  /// The result of an execution, waited for if it still runs; empty when it does and `wait` is
  /// false.
  public Optional<ExecutionResult> result(String executionId, boolean wait) {
    var retrying = retries.find(executionId);
    if (retrying.isPresent()) {
      return wait ? Optional.of(Outcome.of(retrying.get())) : Optional.empty();
    }
    var running = executor.running(executionId);
    if (running.isPresent()) {
      return wait ? Optional.of(Outcome.of(running.get().result)) : Optional.empty();
    }
    return requireExecution(executionId)
        .resultJson()
        .map(json -> Json.read(json, ExecutionResult.class));
  }

  private ExecutionRow requireExecution(String executionId) {
    return registry
        .execution(executionId)
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.EXECUTION_NOT_FOUND,
                    "Unknown execution: " + executionId,
                    "`husk executions --name …` lists those of a kernel"));
  }

  /// A kernel's latest executions, newest first.
  public List<ExecutionRow> executions(String identifier) {
    return registry.executions(require(identifier).kernelId(), 50);
  }

  /// Whether anything is left that a daemon should stay for.
  public boolean idle() {
    return !executor.anyRunning()
        && list().stream().noneMatch(record -> record.status().alive())
        && sandboxes().idle();
  }

  /// Lets go of everything. Kernels live on, unless their registry does not.
  @Override
  public void close() {
    reaper.close();
    ready.close();
    var open = sandboxes;
    if (open != null) {
      Steps.take("stop what is empty", kernels::leaveHomesOfTheDead);
      Steps.take("let go of the sandboxes", open::close);
    }
    if (places.inMemory()) {
      Steps.take("end every kernel", this::destroyAll);
    }
    kernels.close();
    registry.close();
    NoteFiles.settle();
  }
}
