package husk.core;

import husk.kernels.KernelSpec;
import husk.model.Against;
import husk.model.BestOf;
import husk.model.BestOfRequest;
import husk.model.Checkpoint;
import husk.model.CheckpointTaken;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.Forked;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.model.StateDiff;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.store.ExecutionRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// A [Core] as somebody is served by it: its owner, or callers over TCP within their bounds.
///
/// It is all that endpoints are given, so that none can forget who asks. To look at a kernel, to
/// interrupt it and to end it is everybody's; what makes one, or makes one do something, passes the
/// bounds first.
public final class Service {
  private final Core core;
  private final Bounds bounds;

  private Service(Core core, Bounds bounds) {
    this.core = core;
    this.bounds = bounds;
  }

  /// For whoever may open the daemon's own socket.
  public static Service ofOwner(Core core) {
    return new Service(core, Bounds.NONE);
  }

  /// For callers over TCP.
  ///
  /// @param server whom they are served for
  public static Service ofCallers(Core core, Opened opened, Caller server) {
    return new Service(core, new RemoteBounds(core, opened, server));
  }

  public ResolvedSettings settings(Caller caller) {
    return core.settings(bounds.caller(caller));
  }

  public Map<String, KernelSpec> kernelSpecs(Caller caller) {
    return core.kernelSpecs(bounds.caller(caller));
  }

  public SandboxService sandboxes() {
    return new SandboxService(core.sandboxes(), bounds);
  }

  /// See [Core#createSandbox].
  public SandboxInfo createSandbox(
      SandboxRequest asked, Optional<String> config, Optional<String> program, Caller caller) {
    bounds.make(asked, config);
    var made = core.createSandbox(asked, config, program, bounds.caller(caller));
    try {
      // Something may have been exchanged, or started, while it was made.
      bounds.start(made);
      return made;
    } catch (Problem changedMeanwhile) {
      core.sandboxes().remove(made.name());
      throw changedMeanwhile;
    }
  }

  // Kernels

  public KernelRecord getOrCreate(String name, KernelOptions options, Caller caller) {
    return bounds.any()
        ? core.alive(existing(name, options, caller))
        : core.getOrCreate(name, options, caller);
  }

  public KernelRecord create(Optional<String> name, KernelOptions options, Caller caller) {
    bounds.make(options);
    return core.create(name, options, bounds.caller(caller));
  }

  /// The id of the kernel of a name, made if there is none. An id stays what it is; who has a name
  /// may change between the look at a kernel and its use.
  private String existing(String name, KernelOptions options, Caller caller) {
    bounds.make(options);
    while (true) {
      var known = core.find(name);
      if (known.isPresent()) {
        bounds.use(known.get());
        return known.get().kernelId();
      }
      try {
        return core.create(Optional.of(name), options, bounds.caller(caller)).kernelId();
      } catch (Problem problem) {
        if (problem.code() != Problem.Code.KERNEL_ALREADY_EXISTS || core.find(name).isEmpty()) {
          throw problem;
        }
      }
    }
  }

  public Optional<KernelRecord> find(String identifier) {
    return core.find(identifier);
  }

  public KernelRecord require(String identifier) {
    return core.require(identifier);
  }

  /// The id of a kernel that may be made to do something.
  private String usable(String identifier) {
    if (!bounds.any()) {
      return identifier;
    }
    var kernel = core.require(identifier);
    bounds.use(kernel);
    return kernel.kernelId();
  }

  /// Refuses a kernel that may not be made to do anything.
  public void requireUsable(String identifier) {
    var _ = usable(identifier);
  }

  public List<KernelRecord> list() {
    return core.list();
  }

  public boolean responds(KernelRecord record) {
    return core.responds(record);
  }

  public Instant lastActivity(KernelRecord record) {
    return core.lastActivity(record);
  }

  /// See [Core#attach].
  public Attachment attach(String kernelId, Runnable onProcessEnd) {
    requireUsable(kernelId);
    return core.attach(kernelId, () -> requireUsable(kernelId), onProcessEnd);
  }

  public Optional<KernelRecord> tag(String kernelId, UnaryOperator<Map<String, String>> change) {
    return core.tag(kernelId, change);
  }

  public KernelRecord restart(String identifier) {
    return core.restart(usable(identifier));
  }

  public void interrupt(String identifier) {
    core.interrupt(identifier);
  }

  public boolean destroy(String identifier) {
    return core.destroy(identifier);
  }

  public List<String> destroyAll() {
    return core.destroyAll();
  }

  public String log(String identifier) {
    return core.log(identifier);
  }

  // Live state

  public Forked fork(
      String identifier, List<Optional<String>> names, boolean proceed, Caller caller) {
    return core.fork(usable(identifier), names, proceed, bounds.caller(caller));
  }

  public Optional<String> forkedFrom(KernelRecord record) {
    return core.forkedFrom(record);
  }

  public KernelRecord promote(String identifier, String fork) {
    return core.promote(usable(identifier), usable(fork));
  }

  public CheckpointTaken checkpoint(
      String identifier, Optional<String> label, boolean proceed, Caller caller) {
    return core.checkpoint(usable(identifier), label, proceed, bounds.caller(caller));
  }

  public List<Checkpoint> checkpoints(String identifier) {
    return core.checkpoints(identifier);
  }

  public Checkpoint rollback(String identifier, Optional<String> to) {
    return core.rollback(usable(identifier), to);
  }

  public Checkpoint dropCheckpoint(String identifier, String checkpoint) {
    return core.dropCheckpoint(usable(identifier), checkpoint);
  }

  public StateDiff diff(String identifier, Against against) {
    if (against instanceof Against.Kernel(var other)) {
      requireUsable(other);
    }
    return core.diff(usable(identifier), against);
  }

  public KernelRecord keepPreview(String identifier) {
    return core.keepPreview(usable(identifier));
  }

  public KernelRecord discardPreview(String identifier) {
    return core.discardPreview(usable(identifier));
  }

  public BestOf bestOf(String identifier, BestOfRequest request, Caller caller) {
    return core.bestOf(usable(identifier), request, bounds.caller(caller));
  }

  // Executions

  /// Refuses what [#execute] would, before anything is answered.
  public void requireExecutable(String identifier, Optional<KernelOptions> options, Caller caller) {
    if (bounds.any()) {
      options.ifPresent(bounds::make);
      var _ = bounds.caller(caller);
      core.find(identifier).ifPresent(bounds::use);
    }
  }

  /// See [Core#execute].
  public ExecutionResult execute(
      String identifier,
      ExecuteRequest request,
      Optional<KernelOptions> options,
      Caller caller,
      ExecutionEvent.Listener listener) {
    return bounds.any()
        ? core.execute(
            target(identifier, options, caller),
            request,
            Optional.empty(),
            bounds.caller(caller),
            listener)
        : core.execute(identifier, request, options, caller, listener);
  }

  private String target(String identifier, Optional<KernelOptions> options, Caller caller) {
    return options.isPresent() ? existing(identifier, options.get(), caller) : usable(identifier);
  }

  /// See [Core#executeWithRetry].
  public ExecutionResult executeWithRetry(
      String identifier,
      ExecuteRequest request,
      Optional<Integer> maxAttempts,
      BiFunction<ExecutionResult, Integer, Optional<String>> onError,
      Optional<KernelOptions> options,
      Caller caller,
      ExecutionEvent.Listener listener) {
    return bounds.any()
        ? core.executeWithRetry(
            target(identifier, options, caller),
            request,
            maxAttempts,
            onError,
            Optional.empty(),
            bounds.caller(caller),
            listener)
        : core.executeWithRetry(
            identifier, request, maxAttempts, onError, options, caller, listener);
  }

  public boolean cancel(String executionId) {
    return core.cancel(executionId);
  }

  public Optional<ExecutionResult> result(String executionId, boolean wait) {
    return core.result(executionId, wait);
  }

  public List<ExecutionRow> executions(String identifier) {
    return core.executions(identifier);
  }
}
