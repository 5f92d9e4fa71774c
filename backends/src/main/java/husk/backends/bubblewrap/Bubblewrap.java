package husk.backends.bubblewrap;

import husk.backends.agents.AgentSandbox;
import husk.backends.agents.Cgroups;
import husk.backends.agents.EnvironmentFile;
import husk.backends.agents.FirstProcess;
import husk.backends.agents.Launcher;
import husk.backends.agents.LimitOptions;
import husk.backends.agents.Lookup;
import husk.backends.agents.Placeholders;
import husk.model.Problem;
import husk.spi.Backend;
import husk.spi.Capabilities;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import husk.spi.Tenancy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Sandboxes of this machine's own kernel: the default on Linux.
public final class Bubblewrap implements Backend {
  @Override
  public String name() {
    return "bubblewrap";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(true, true, true, true, true);
  }

  @Override
  public Optional<Problem> unavailable() {
    return Obstacles.found();
  }

  @Override
  public void check(SandboxSpec spec) {
    Obstacles.check(spec);
  }

  @Override
  public Sandbox start(SandboxSpec spec, SandboxPlace place) {
    return start(spec, place, Family.founding(place));
  }

  @Override
  public Sandbox startBeside(SandboxSpec spec, SandboxPlace place, long family) {
    return start(spec, place, Family.of(family));
  }

  private static Sandbox start(SandboxSpec spec, SandboxPlace place, Family family) {
    Obstacles.check(spec);
    // Before there are any, and before there is a process: should we be killed on the way, they are
    // found by these notes.
    note(place, Cgroups.planned(place.id()));
    var cgroups = Cgroups.make(place.id(), spec.limits());
    try {
      Obstacles.requireHeld(spec, LimitOptions.enforcement(spec.limits(), cgroups));
      note(place, cgroups);
      var process = launch(spec, place, cgroups, family);
      return new AgentSandbox(
          place,
          process,
          cgroups,
          LimitOptions.enforcement(spec.limits(), cgroups),
          Optional.of(tenancy(spec, place, process, cgroups)));
    } catch (IOException e) {
      undo(cgroups, place);
      throw new Problem(Problem.Code.SANDBOX_FAILED, "cannot start a sandbox: " + e).causedBy(e);
    } catch (RuntimeException e) {
      undo(cgroups, place);
      throw e;
    }
  }

  private static void note(SandboxPlace place, Cgroups cgroups) {
    try {
      Lookup.save(place, cgroups);
    } catch (IOException e) {
      throw new Problem(Problem.Code.SANDBOX_FAILED, "cannot start a sandbox: " + e).causedBy(e);
    }
  }

  private static void undo(Cgroups cgroups, SandboxPlace place) {
    cgroups.remove();
    Placeholders.release(place);
  }

  private static SandboxProcess launch(
      SandboxSpec spec, SandboxPlace place, Cgroups cgroups, Family family) throws IOException {
    var options = new ArrayList<>(LimitOptions.of(spec.limits(), cgroups));
    options.addAll(family.options());
    family.identity().ifPresent(uid -> options.addAll(identity(uid, place)));
    options.addAll(EnvironmentFile.write(place, Variables.of(spec)));
    var walls = new Walls(spec, place);
    options.addAll(walls.view());
    new Launcher(
            place, options, walls.command(LimitOptions.fixesProcessors(spec.limits(), cgroups)))
        .start(spec, Obstacles::explain);
    return firstProcess(place);
  }

  private static List<String> identity(long uid, SandboxPlace place) {
    return List.of(
        "--identity",
        Long.toString(uid),
        "--own",
        place.workspace().toString(),
        "--own",
        place.home().toString());
  }

  private static SandboxProcess firstProcess(SandboxPlace place) throws IOException {
    return FirstProcess.of(Family.said(place).first())
        .orElseThrow(() -> new IOException("bubblewrap did not say which process is the first"));
  }

  @Override
  public Optional<Sandbox> find(SandboxSpec spec, SandboxPlace place, SandboxProcess process) {
    return Lookup.find(
        spec, place, process, cgroups -> Optional.of(tenancy(spec, place, process, cgroups)));
  }

  private static Tenancy tenancy(
      SandboxSpec spec, SandboxPlace place, SandboxProcess process, Cgroups cgroups) {
    var filters = Filters.of(LimitOptions.fixesProcessors(spec.limits(), cgroups));
    return new Tenancy(
        process.pid(),
        Family.known(place),
        Walls.OWNER,
        Walls.OWNER,
        cgroups.folders(),
        LimitOptions.rlimits(spec.limits(), cgroups),
        place.agent().resolveSibling(filters.inside()),
        place.agent().resolveSibling(filters.porter()),
        Variables.of(spec),
        cgroups.memoryCounter());
  }
}
