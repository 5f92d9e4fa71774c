package husk.sandboxes;

import husk.model.Problem;
import husk.proxy.EgressEvent;
import husk.proxy.EgressPolicy;
import husk.proxy.EgressProxy;
import husk.proxy.Resolver;
import husk.spi.PortMapping;
import husk.spi.Sandbox;
import husk.spi.SandboxEvent;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What this process holds of a running sandbox: the way out and the ways in.
final class LiveSandbox implements AutoCloseable {
  private final SandboxPlace place;
  private final EventLog events;
  private final List<Publisher> ports = new ArrayList<>();
  private final Set<EgressWatch> watches = ConcurrentHashMap.newKeySet();

  /// Whether nothing gets out but by what this process holds.
  private final boolean seesAll;

  private volatile EgressPolicy policy;
  private volatile int temporarySeconds = -1;
  private @Nullable EgressProxy proxy;
  private volatile @Nullable Sandbox sandbox;

  private LiveSandbox(SandboxPlace place, EventLog events, EgressPolicy policy, boolean seesAll) {
    this.seesAll = seesAll;
    this.place = place;
    this.events = events;
    this.policy = policy;
  }

  /// Opens the way out; the sandbox itself is still to be started.
  static LiveSandbox prepare(SandboxSpec spec, SandboxPlace place, EventLog events) {
    var live = new LiveSandbox(place, events, SpecMaker.policy(spec.egress()), true);
    if (spec.network()) {
      live.proxy =
          EgressProxy.open(place.proxySocket(), () -> live.policy, Resolver.system(), live::told);
      letIn(place.proxySocket());
    }
    return live;
  }

  /// Its folder is for the daemon and the sandbox alone; which of the two owns it depends on the
  /// file system.
  private static void letIn(Path socket) {
    try {
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes over one that another process started. Where that process still serves the way out, or
  /// the ports, it goes on doing so.
  static LiveSandbox adopt(SandboxSpec spec, SandboxPlace place, EventLog events, Sandbox found) {
    LiveSandbox live;
    try {
      live = prepare(spec, place, events);
    } catch (Problem problem) {
      requireServed(problem);
      live = new LiveSandbox(place, events, SpecMaker.policy(spec.egress()), false);
    }
    live.sandbox = found;
    if (live.seesAll) {
      live.publishAgain(spec);
    }
    return live;
  }

  /// A port that somebody else has taken meanwhile is lost; the way out is ours all the same, and
  /// the rules for it are held here.
  private void publishAgain(SandboxSpec spec) {
    for (var mapping : spec.ports()) {
      try {
        ports.add(Publisher.open(Objects.requireNonNull(sandbox), mapping));
      } catch (Problem problem) {
        requireServed(problem);
        happened("port_unavailable", Map.of("port", Integer.toString(mapping.host())));
      }
    }
  }

  private static void requireServed(Problem problem) {
    if (problem.code() != Problem.Code.ADDRESS_UNAVAILABLE) {
      throw problem;
    }
  }

  /// The sandbox is up; its ports are published from now on.
  void started(Sandbox started, SandboxSpec spec) {
    sandbox = started;
    for (var mapping : spec.ports()) {
      ports.add(Publisher.open(started, mapping));
    }
  }

  Optional<Sandbox> sandbox() {
    return Optional.ofNullable(sandbox);
  }

  /// Whether it runs in the family that has this first process.
  boolean isIn(long family) {
    return sandbox()
        .filter(Sandbox::alive)
        .flatMap(Sandbox::tenancy)
        .filter(tenancy -> tenancy.family() == family)
        .isPresent();
  }

  Sandbox require(String name) {
    return sandbox().filter(Sandbox::alive).orElseThrow(() -> notRunning(name));
  }

  static Problem notRunning(String name) {
    return new Problem(
        Problem.Code.SANDBOX_NOT_RUNNING,
        "Sandbox '" + name + "' is not running",
        "start it with: husk sandbox start " + name);
  }

  List<PortMapping> ports() {
    return ports.stream().map(Publisher::mapping).toList();
  }

  void policy(EgressPolicy changed) {
    policy = changed;
    var open = proxy;
    if (open != null) {
      open.reconsider();
    }
  }

  /// How long it waits for its one command; it is no part of what a ready sandbox was started as.
  int temporarySeconds(Supplier<SandboxSpec> spec) {
    if (temporarySeconds < 0) {
      temporarySeconds = spec.get().temporarySeconds();
    }
    return temporarySeconds;
  }

  EventLog events() {
    return events;
  }

  SandboxPlace place() {
    return place;
  }

  /// Has everything it wants to reach told from now on; empty where another process serves the way
  /// out.
  Optional<EgressWatch> watch() {
    if (!seesAll) {
      return Optional.empty();
    }
    var watch = new EgressWatch(watches::remove);
    watches.add(watch);
    return Optional.of(watch);
  }

  private void told(EgressEvent event) {
    watches.forEach(watch -> watch.told(event));
    if (event.allowed()) {
      return;
    }
    var details = new TreeMap<String, String>();
    details.put("host", event.host());
    details.put("port", Integer.toString(event.port()));
    details.put("protocol", event.protocol());
    details.put("rule", event.rule());
    details.put("reason", event.reason());
    details.put("pid", Long.toString(event.pid()));
    details.put("process", event.process());
    event.method().ifPresent(method -> details.put("method", method));
    event.path().ifPresent(path -> details.put("path", path));
    events.add(new SandboxEvent(event.at(), "egress_denied", details));
  }

  void happened(String type, Map<String, String> details) {
    events.add(SandboxEvent.now(type, details));
  }

  /// Lets go of it; the sandbox lives on.
  @Override
  public void close() {
    ports.forEach(Publisher::close);
    ports.clear();
    var open = proxy;
    if (open != null) {
      open.close();
    }
  }
}
