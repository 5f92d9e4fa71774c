package husk.sandboxes;

import husk.model.Ids;
import husk.model.Problem;
import husk.spi.Egress;
import husk.spi.Mount;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import husk.store.NoteFiles;
import husk.store.SandboxRegistry;
import husk.store.SandboxRow;
import husk.store.SandboxRow.Status;
import husk.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Every sandbox, by name.
///
/// The registry says what there is; [Homes] holds what this process knows of the running ones. A
/// sandbox outlives this process, except those that wait in the pool.
public final class Sandboxes implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("husk.sandboxes");

  private final SandboxRegistry registry;
  private final SandboxNotes notes;
  private final Backends backends;
  private final SpecMaker maker;
  private final Homes homes;
  private final Lifeline lifeline = new Lifeline();
  private final Pool pool;
  private final Keeper keeper;
  private final Leftovers leftovers;

  private Sandboxes(
      SandboxRegistry plain,
      Backends backends,
      SandboxPlaces places,
      PoolSettings pool,
      Consumer<SandboxRow> nobodys) {
    this.notes = new SandboxNotes(places);
    this.registry = new NotedSandboxes(plain, notes);
    this.backends = backends;
    this.maker = new SpecMaker(places.own());
    this.homes = new Homes(registry, backends, places);
    this.pool = new Pool(registry, homes, pool, lifeline);
    this.keeper = new Keeper(registry, homes, nobodys);
    this.leftovers = new Leftovers(registry, backends, places);
  }

  /// Opens them; running sandboxes of an earlier process are found again.
  public static Sandboxes open(
      SandboxRegistry registry, Backends backends, SandboxPlaces places, PoolSettings pool) {
    return open(registry, backends, places, pool, _ -> {});
  }

  /// The same.
  ///
  /// @param nobodys told of a sandbox that waited in vain, before nothing of it is known any more
  public static Sandboxes open(
      SandboxRegistry registry,
      Backends backends,
      SandboxPlaces places,
      PoolSettings pool,
      Consumer<SandboxRow> nobodys) {
    var sandboxes = new Sandboxes(registry, backends, places, pool, nobodys);
    sandboxes.keeper.recover();
    sandboxes.keeper.start();
    return sandboxes;
  }

  public Backends backends() {
    return backends;
  }

  /// Makes a sandbox, and starts it unless it is to wait.
  public SandboxInfo create(SandboxRequest request, Asker asker) {
    return create(request, asker, List.of());
  }

  /// The same, with what Husk itself needs inside: that may be where no user's mount may be.
  public SandboxInfo create(SandboxRequest request, Asker asker, List<Mount> needed) {
    var spec = checked(request, asker, needed);
    var row = candidate(request, spec);
    if (request.started()) {
      var ready = pool.take(row, spec);
      if (ready.isPresent()) {
        homes.happened(ready.get(), "created", Map.of("from", "pool"));
        return homes.info(ready.get());
      }
    }
    if (!registry.insert(row)) {
      throw taken(row.name().orElse(row.id()));
    }
    homes.created(row, Map.of());
    return homes.info(request.started() ? pool.byHand(() -> startNew(row)) : row);
  }

  /// Makes one that is as another is, in its family, so that what lives there can be copied here.
  public SandboxInfo createBeside(String sibling, SandboxRequest request) {
    var other = requireRow(sibling);
    var tenancy = use(sibling).tenancy().orElseThrow(() -> LiveSandbox.notRunning(sibling));
    var spec = homes.spec(other);
    var row = candidate(request, spec);
    var ready = pool.takeBeside(row, spec, tenancy.family());
    if (ready.isPresent()) {
      homes.happened(ready.get(), "created", Map.of("beside", sibling, "from", "pool"));
      return homes.info(ready.get());
    }
    if (!registry.insert(row)) {
      throw taken(row.name().orElse(row.id()));
    }
    homes.created(row, Map.of("beside", sibling));
    try {
      return homes.info(pool.byHand(() -> homes.startBeside(row, tenancy.family())));
    } catch (RuntimeException e) {
      homes.remove(row);
      throw e;
    }
  }

  /// What of the host a request's own words ask for.
  public List<Mount> lent(SandboxRequest request, Asker asker) {
    return maker.lent(request, asker);
  }

  /// Where the files of a sandbox are.
  public SandboxPlace place(String name) {
    return homes.place(requireRow(name));
  }

  private SandboxSpec checked(SandboxRequest request, Asker asker, List<Mount> needed) {
    var asked = maker.make(request, asker);
    var mounts = new ArrayList<>(needed);
    mounts.addAll(asked.mounts());
    var spec = asked.withMounts(mounts);
    backends.of(spec.backend()).check(spec);
    return spec;
  }

  /// A sandbox that nobody sees yet: something moves in, and both wait for somebody. It ends with
  /// this process unless it is given away.
  public ReadyHome makeReady(SandboxRequest request, List<Mount> needed) {
    var spec = checked(request, Asker.NOBODY, needed);
    var row = pool.make(spec, request.labels());
    return new ReadyHome(row, spec, homes.live(row).orElseThrow().require(row.id()));
  }

  /// Gives it to whoever asked; false when it is gone.
  public boolean give(ReadyHome ready, SandboxRequest request) {
    var given = pool.adopt(ready.row(), candidate(request, ready.spec()));
    given.ifPresent(row -> homes.happened(row, "created", Map.of("from", "pool")));
    return given.isPresent();
  }

  /// Ends one that nobody took.
  public void discard(ReadyHome ready) {
    pool.discard(ready.row());
  }

  private static SandboxRow candidate(SandboxRequest request, SandboxSpec spec) {
    request.labels().forEach(SandboxNames::requireLabel);
    var id = Ids.fresh();
    var now = Instant.now();
    return new SandboxRow(
        id,
        Optional.of(
            SandboxNames.require(request.name().orElseGet(() -> "run-" + id.substring(0, 8)))),
        request.started() ? Status.STARTING : Status.CREATED,
        Self.PID,
        Self.START_TIME,
        now,
        now,
        request.ttlSeconds(),
        expiry(now, request.ttlSeconds()),
        Json.text(spec),
        request.labels(),
        request.description());
  }

  private static Optional<Instant> expiry(Instant from, long seconds) {
    return seconds <= 0 ? Optional.empty() : Optional.of(from.plusSeconds(seconds));
  }

  private SandboxRow startNew(SandboxRow row) {
    try {
      return homes.start(row);
    } catch (RuntimeException e) {
      homes.remove(row);
      throw e;
    }
  }

  /// Starts it; one that runs already is left as it is.
  public SandboxInfo start(String name) {
    var row = requireRow(name);
    if (homes.running(row)) {
      return homes.info(row);
    }
    homes.ended(row);
    return homes.info(homes.start(requireRow(name)));
  }

  /// Ends everything in it and keeps its files; one that does not run is left as it is.
  public SandboxInfo stop(String name) {
    return homes.info(homes.stop(requireRow(name)));
  }

  /// Ends it and removes its files; false when there was none.
  public boolean remove(String name) {
    var row = registry.find(name);
    row.ifPresent(homes::remove);
    return row.isPresent();
  }

  /// The same for one that the registry has lost, if it can be told by its note.
  public boolean removeUnlisted(String name) {
    var lost =
        notes
            .all()
            .filter(row -> row.name().filter(name::equals).isPresent())
            .filter(registry::insert)
            .findFirst();
    lost.ifPresent(homes::remove);
    return lost.isPresent();
  }

  public Optional<SandboxInfo> find(String name) {
    return registry.find(name).filter(row -> row.name().isPresent()).map(homes::info);
  }

  public SandboxInfo require(String name) {
    return homes.info(requireRow(name));
  }

  /// All that have the labels, the oldest first.
  public List<SandboxInfo> list(Map<String, String> labels) {
    return rows(labels).stream().map(homes::info).toList();
  }

  private List<SandboxRow> rows(Map<String, String> labels) {
    return registry.list().stream()
        .filter(row -> row.name().isPresent())
        .filter(row -> row.labels().entrySet().containsAll(labels.entrySet()))
        .toList();
  }

  /// The running sandbox, for what lives in it; that is not noted as its use.
  public Optional<Sandbox> running(String name) {
    return registry
        .find(name)
        .filter(row -> row.status() == Status.RUNNING)
        .flatMap(homes::live)
        .flatMap(LiveSandbox::sandbox);
  }

  /// The running sandbox itself; using it is noted.
  public Sandbox use(String name) {
    var row = requireRow(name);
    noteUse(row);
    return homes.live(row).orElseThrow(() -> LiveSandbox.notRunning(name)).require(name);
  }

  /// A disk without room for that keeps nobody from using it.
  private void noteUse(SandboxRow row) {
    try {
      registry.update(row.id(), now -> now.usedAt(Instant.now()));
    } catch (Problem unnoted) {
      LOG.log(Level.WARNING, unnoted.text());
    }
  }

  /// Replaces labels and description.
  public SandboxInfo describe(
      String name, UnaryOperator<Map<String, String>> labels, Optional<String> description) {
    return change(
        name,
        row -> {
          var changed = labels.apply(row.labels());
          changed.forEach(SandboxNames::requireLabel);
          return row.described(changed, description.or(row::description));
        });
  }

  /// Lets it live longer: from now or from its present end, whichever is later.
  public SandboxInfo extend(String name, Duration by) {
    return change(
        name,
        row -> {
          var now = Instant.now();
          var from = row.expiresAt().filter(now::isBefore).orElse(now);
          return row.expiring(row.ttlSeconds() + by.toSeconds(), Optional.of(from.plus(by)));
        });
  }

  /// Changes where it may connect to, while it runs as well.
  public SandboxInfo egress(String name, UnaryOperator<Egress> change) {
    var row = requireRow(name);
    var spec = homes.spec(row);
    if (!spec.network()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "sandbox `" + name + "` was made without network, and stays so",
          "make another without `--no-network`");
    }
    var changed = spec.withEgress(change.apply(spec.egress()));
    var policy = SpecMaker.policy(changed.egress());
    var info = change(name, now -> now.withSpec(Json.text(changed)));
    homes.live(row).ifPresent(live -> live.policy(policy));
    homes.happened(row, "policy_changed", Map.of("egress", Json.text(changed.egress())));
    return info;
  }

  private SandboxInfo change(String name, UnaryOperator<SandboxRow> change) {
    var row = requireRow(name);
    return homes.info(registry.update(row.id(), change).orElseThrow(() -> unknown(name)));
  }

  /// What happened to it after the first `after` events, waited for if nothing has.
  public EventPage events(String name, long after, Duration wait) {
    var page = homes.events(requireRow(name)).after(after, wait);
    return new EventPage(page.lines(), page.next());
  }

  /// Has what it wants to reach told from now on, until that is closed; empty where it does not
  /// run, or another process serves its way out.
  public Optional<EgressWatch> watchEgress(String name) {
    return homes.live(requireRow(name)).flatMap(LiveSandbox::watch);
  }

  /// Events as JSON, one each, and the number to ask on from.
  public record EventPage(List<String> lines, long next) {
    public EventPage {
      lines = List.copyOf(lines);
    }
  }

  /// Removes what has expired or stopped, and with labels everything that has them.
  public List<String> collect(Map<String, String> labels, boolean dryRun) {
    var now = Instant.now();
    return removeAll(
        rows(labels).stream()
            .filter(
                row ->
                    !labels.isEmpty()
                        || row.expiresAt().filter(now::isAfter).isPresent()
                        || row.status() == Status.STOPPED)
            .toList(),
        dryRun);
  }

  /// Removes those that do not run, and with `force` all.
  public List<String> clean(boolean force) {
    return removeAll(
        rows(Map.of()).stream().filter(row -> force || !homes.runs(row)).toList(), false);
  }

  /// The same, and with `all` what is left of sandboxes that nobody knows of any more.
  public List<String> clean(boolean force, boolean all) {
    var removed = new ArrayList<>(clean(force));
    if (all) {
      removed.addAll(leftovers.remove());
    }
    return removed;
  }

  /// Gives up the pool, for somebody who is about to leave: no sandbox is made for it any more.
  public void closePool() {
    pool.close();
  }

  /// Stops all that run.
  public void stopAll() {
    for (var row : rows(Map.of())) {
      try {
        if (homes.running(row)) {
          homes.stop(row);
        }
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "cannot stop sandbox " + row.id(), e);
      }
    }
  }

  private List<String> removeAll(List<SandboxRow> rows, boolean dryRun) {
    var names = new ArrayList<String>();
    for (var row : rows) {
      row.name().ifPresent(names::add);
      if (!dryRun) {
        homes.remove(row);
      }
    }
    return names;
  }

  /// Whether none runs for anybody. Those of kernels are as idle as their kernels are.
  public boolean idle() {
    return registry.list().stream()
        .filter(row -> row.name().isPresent() && row.status() == Status.RUNNING)
        .allMatch(row -> row.labels().containsKey(SandboxRequest.KERNEL_LABEL));
  }

  private SandboxRow requireRow(String name) {
    return registry
        .find(name)
        .filter(row -> row.name().isPresent())
        .orElseThrow(() -> unknown(name));
  }

  static Problem unknown(String name) {
    return new Problem(
        Problem.Code.SANDBOX_NOT_FOUND,
        "Sandbox '" + name + "' not found",
        "`husk sandbox list` shows those there are",
        "`husk sandbox create " + name + "` makes it");
  }

  private static Problem taken(String name) {
    return new Problem(
        Problem.Code.SANDBOX_ALREADY_EXISTS,
        "Sandbox '" + name + "' exists already",
        "use it with `husk exec " + name + " -- …`, or `husk sandbox remove " + name + "` first");
  }

  /// Lets go of the running ones; those that wait in the pool end.
  @Override
  public void close() {
    keeper.close();
    pool.close();
    lifeline.close();
    homes.close();
    NoteFiles.settle();
  }
}
