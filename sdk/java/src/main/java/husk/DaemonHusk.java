package husk;

import husk.core.Caller;
import husk.core.SettingsResolver;
import husk.local.DaemonDoor;
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
import husk.model.Problem;
import husk.model.StateDiff;
import java.util.List;
import java.util.Optional;

/// Husk through the user's daemon, which is started when it is needed and may come and go
/// unnoticed.
final class DaemonHusk extends BaseHusk {
  private final Locations locations;
  private final Connections connections;
  private final Bodies bodies;
  private final Caller caller;
  private final Sandboxes sandboxes;
  private final RemoteLiveState live;

  DaemonHusk(HuskOptions options) {
    var environment = Installation.locate(options.environment());
    this.locations = Locations.of(environment);
    this.connections = new Connections(new DaemonDoor(locations, environment));
    this.bodies = new Bodies(options);
    this.caller = options.caller();
    this.sandboxes = new Sandboxes(new RemoteSandboxes(connections, options.told()));
    this.live = new RemoteLiveState(connections, options.told());
    connections.give(connections.take());
  }

  private record Cancelled(boolean cancelled) {}

  private record Destroyed(boolean destroyed) {}

  private record Wiped(List<String> destroyed) {}

  @Override
  ExecutionResult run(Target target, ExecuteRequest request, Hearing hearing) {
    var body = bodies.execute(target, request);
    boolean lasts = locations.store() == Locations.Store.FILE;
    return new RemoteExecution(connections, request.executionId(), target, body, hearing, lasts)
        .run();
  }

  @Override
  int maxAttempts() {
    return new SettingsResolver(locations.home()).resolve(caller).settings().maxRetries();
  }

  @Override
  public KernelRecord getOrCreate(String name, KernelOptions options) {
    var body = bodies.kernel(Optional.empty(), options);
    return connections.ask("POST", Paths.session(name), body).as(KernelJson.class).record();
  }

  @Override
  public KernelRecord create(String name, KernelOptions options) {
    return create(Optional.of(name), options);
  }

  @Override
  public KernelRecord create(KernelOptions options) {
    return create(Optional.empty(), options);
  }

  private KernelRecord create(Optional<String> name, KernelOptions options) {
    return connections
        .askOnce("POST", "/kernels", bodies.kernel(name, options))
        .as(KernelJson.class)
        .record();
  }

  @Override
  public Optional<KernelRecord> find(String nameOrId) {
    return Problems.absent(Problem.Code.KERNEL_NOT_FOUND, () -> status(nameOrId))
        .map(KernelHealth::kernel);
  }

  @Override
  public List<KernelRecord> list() {
    var all = connections.ask("GET", "/kernels", Bodies.NONE).as(KernelJson.All.class);
    return all.kernels().stream().map(KernelJson::record).toList();
  }

  @Override
  public KernelHealth status(String nameOrId) {
    return connections
        .ask("GET", Paths.kernel(nameOrId), Bodies.NONE)
        .as(KernelJson.Health.class)
        .health();
  }

  @Override
  public KernelRecord restart(String nameOrId) {
    return connections
        .ask("POST", Paths.kernel(nameOrId) + "/restart", Bodies.NONE)
        .as(KernelJson.class)
        .record();
  }

  @Override
  public void interrupt(String nameOrId) {
    connections.askOnce("POST", Paths.kernel(nameOrId) + "/interrupt", Bodies.NONE).throwProblem();
  }

  @Override
  public boolean destroy(String nameOrId) {
    return Problems.absent(
            Problem.Code.KERNEL_NOT_FOUND,
            () ->
                connections.ask("DELETE", Paths.kernel(nameOrId), Bodies.NONE).as(Destroyed.class))
        .map(Destroyed::destroyed)
        .orElse(false);
  }

  @Override
  public List<String> wipe() {
    return connections.ask("DELETE", "/kernels", Bodies.NONE).as(Wiped.class).destroyed();
  }

  @Override
  public String log(String nameOrId) {
    return connections.ask("GET", Paths.kernel(nameOrId) + "/log", Bodies.NONE).text();
  }

  @Override
  public boolean cancel(String executionId) {
    return connections
        .ask("DELETE", Paths.execution(executionId), Bodies.NONE)
        .as(Cancelled.class)
        .cancelled();
  }

  @Override
  public ExecutionResult result(String executionId) {
    return Results.await(connections, executionId);
  }

  @Override
  public Forked fork(String nameOrId, ForkRequest request) {
    return live.fork(nameOrId, request);
  }

  @Override
  public Optional<String> forkedFrom(String nameOrId) {
    return live.forkedFrom(nameOrId);
  }

  @Override
  public KernelRecord promote(String nameOrId, String fork) {
    return live.promote(nameOrId, fork);
  }

  @Override
  public CheckpointTaken checkpoint(String nameOrId, Optional<String> label, boolean proceed) {
    return live.checkpoint(nameOrId, label, proceed);
  }

  @Override
  public List<Checkpoint> checkpoints(String nameOrId) {
    return live.checkpoints(nameOrId);
  }

  @Override
  public Checkpoint rollback(String nameOrId, Optional<String> to) {
    return live.rollback(nameOrId, to);
  }

  @Override
  public void dropCheckpoint(String nameOrId, String checkpoint) {
    live.dropCheckpoint(nameOrId, checkpoint);
  }

  @Override
  public StateDiff diff(String nameOrId, Against against) {
    return live.diff(nameOrId, against);
  }

  @Override
  public KernelRecord keep(String nameOrId) {
    return live.decide(nameOrId, "keep");
  }

  @Override
  public KernelRecord discard(String nameOrId) {
    return live.decide(nameOrId, "discard");
  }

  @Override
  public BestOf bestOf(String nameOrId, BestOfRequest request) {
    return live.bestOf(nameOrId, request);
  }

  @Override
  public Sandboxes sandboxes() {
    return sandboxes;
  }

  @Override
  void release() {
    connections.close();
  }
}
