package husk.core;

import husk.sandboxes.SandboxInfo;
import husk.sandboxes.Sandboxes;
import husk.spi.Egress;
import husk.spi.Sandbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The sandboxes as somebody is served by them, see [Service]. To look at one, to stop and to
/// remove it is everybody's; what starts one or reaches inside passes the bounds first.
public final class SandboxService {
  private final Sandboxes sandboxes;
  private final Bounds bounds;

  SandboxService(Sandboxes sandboxes, Bounds bounds) {
    this.sandboxes = sandboxes;
    this.bounds = bounds;
  }

  public List<SandboxInfo> list(Map<String, String> labels) {
    return sandboxes.list(labels);
  }

  public SandboxInfo require(String name) {
    return sandboxes.require(name);
  }

  public SandboxInfo start(String name) {
    if (bounds.any()) {
      bounds.start(sandboxes.require(name));
    }
    return sandboxes.start(name);
  }

  public SandboxInfo stop(String name) {
    return sandboxes.stop(name);
  }

  public boolean remove(String name) {
    return sandboxes.remove(name);
  }

  /// The running sandbox itself; using it is noted.
  public Sandbox use(String name) {
    if (!bounds.any()) {
      return sandboxes.use(name);
    }
    while (true) {
      var info = sandboxes.require(name);
      bounds.use(info);
      var sandbox = sandboxes.use(name);
      // The name may have become another's since it was looked at.
      if (sandboxes.require(name).id().equals(info.id())) {
        return sandbox;
      }
    }
  }

  public SandboxInfo describe(
      String name, UnaryOperator<Map<String, String>> labels, Optional<String> description) {
    return sandboxes.describe(name, labels, description);
  }

  public SandboxInfo extend(String name, Duration by) {
    return sandboxes.extend(name, by);
  }

  public SandboxInfo egress(String name, UnaryOperator<Egress> change) {
    return sandboxes.egress(
        name,
        now -> {
          var changed = change.apply(now);
          bounds.open(now, changed);
          return changed;
        });
  }

  public Sandboxes.EventPage events(String name, long after, Duration wait) {
    return sandboxes.events(name, after, wait);
  }

  public List<String> collect(Map<String, String> labels, boolean dryRun) {
    return sandboxes.collect(labels, dryRun);
  }

  public List<String> clean(boolean force, boolean all) {
    return sandboxes.clean(force, all);
  }
}
