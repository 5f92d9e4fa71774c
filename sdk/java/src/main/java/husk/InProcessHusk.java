package husk;

import husk.core.Caller;
import husk.core.Core;
import husk.core.Places;
import husk.local.Locations;
import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.ExecuteRequest;
import husk.model.ExecutionResult;
import husk.model.ForkRequest;
import husk.model.Forked;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.StateDiff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/// Husk without a daemon: the same core, in this process.
final class InProcessHusk extends BaseHusk {
  private static final long PAUSE_MILLIS = 20;

  private final Core core;
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Caller caller;
  private volatile boolean closed;

  InProcessHusk(HuskOptions options) {
    var environment = options.environment();
    var locations = Locations.of(environment);
    var guest = Installation.guest(environment);
    locations.prepare();
    this.caller = options.caller();
    this.core =
        Core.open(
            new Places(
                locations.home(),
                locations.registry(),
                locations.store() == Locations.Store.MEMORY,
                locations.runtime(),
                locations.sockets(),
                guest),
            LINGER,
            caller);
  }

  private Core core() {
    if (closed) {
      throw Executions.closedProblem();
    }
    return core;
  }

  @Override
  ExecutionResult run(Target target, ExecuteRequest request, Hearing hearing) {
    var creation =
        target.create() ? Optional.of(KernelOptions.NONE) : Optional.<KernelOptions>empty();
    return core().execute(target.identifier(), request, creation, caller, hearing);
  }

  @Override
  int maxAttempts() {
    return core().settings(caller).settings().maxRetries();
  }

  @Override
  public KernelRecord getOrCreate(String name, KernelOptions options) {
    return core().getOrCreate(name, options, caller);
  }

  @Override
  public KernelRecord create(String name, KernelOptions options) {
    return core().create(Optional.of(name), options, caller);
  }

  @Override
  public KernelRecord create(KernelOptions options) {
    return core().create(Optional.empty(), options, caller);
  }

  @Override
  public Optional<KernelRecord> find(String nameOrId) {
    return core().find(nameOrId);
  }

  @Override
  public List<KernelRecord> list() {
    return core().list();
  }

  @Override
  public KernelHealth status(String nameOrId) {
    var kernel = core().require(nameOrId);
    return new KernelHealth(kernel, kernel.status().alive(), core().responds(kernel));
  }

  @Override
  public KernelRecord restart(String nameOrId) {
    return core().restart(nameOrId);
  }

  @Override
  public void interrupt(String nameOrId) {
    core().interrupt(nameOrId);
  }

  @Override
  public boolean destroy(String nameOrId) {
    return core().destroy(nameOrId);
  }

  @Override
  public List<String> wipe() {
    return core().destroyAll();
  }

  @Override
  public String log(String nameOrId) {
    return core().log(nameOrId);
  }

  @Override
  public boolean cancel(String executionId) {
    return core().cancel(executionId);
  }

  @Override
  public ExecutionResult result(String executionId) {
    try {
      while (true) {
        var result = core().result(executionId, true);
        if (result.isPresent()) {
          return result.get();
        }
        // Another process runs it; what it gives will be in the registry.
        Pauses.pause(PAUSE_MILLIS);
      }
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException refusal ? refusal : e;
    }
  }

  @Override
  public Forked fork(String nameOrId, ForkRequest request) {
    return core().fork(nameOrId, request.names(), request.proceed(), caller);
  }

  @Override
  public Optional<String> forkedFrom(String nameOrId) {
    return core().forkedFrom(core().require(nameOrId));
  }

  @Override
  public KernelRecord promote(String nameOrId, String fork) {
    return core().promote(nameOrId, fork);
  }

  @Override
  public CheckpointTaken checkpoint(String nameOrId, Optional<String> label, boolean proceed) {
    return core().checkpoint(nameOrId, label, proceed, caller);
  }

  @Override
  public List<Checkpoint> checkpoints(String nameOrId) {
    return core().checkpoints(nameOrId);
  }

  @Override
  public Checkpoint rollback(String nameOrId, Optional<String> to) {
    return core().rollback(nameOrId, to);
  }

  @Override
  public void dropCheckpoint(String nameOrId, String checkpoint) {
    core().dropCheckpoint(nameOrId, checkpoint);
  }

  @Override
  public StateDiff diff(String nameOrId, Against against) {
    return core().diff(nameOrId, against);
  }

  @Override
  public KernelRecord keep(String nameOrId) {
    return core().keepPreview(nameOrId);
  }

  @Override
  public KernelRecord discard(String nameOrId) {
    return core().discardPreview(nameOrId);
  }

  @Override
  public BestOf bestOf(String nameOrId, BestOfRequest request) {
    return core().bestOf(nameOrId, request, caller);
  }

  @Override
  public Sandboxes sandboxes() {
    return new Sandboxes(new LocalSandboxes(this::core, caller));
  }

  @Override
  void release() {
    if (!closed) {
      closed = true;
      core.close();
    }
  }
}
