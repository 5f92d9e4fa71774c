package husk.backends.bubblewrap;

import husk.backends.agents.AgentSandbox;
import husk.backends.agents.Cgroups;
import husk.backends.agents.EnvironmentFile;
import husk.backends.agents.FirstProcess;
import husk.backends.agents.Launcher;
import husk.backends.agents.LimitOptions;
import husk.backends.agents.Lookup;
import husk.model.Problem;
import husk.spi.Backend;
import husk.spi.Capabilities;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import husk.spi.Tenancy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Sandboxes of this machine's own kernel: the default on Linux.
public final class Bubblewrap implements Backend {
  private static final Pattern CHILD = Pattern.compile("\"child-pid\"\\s*:\\s*(\\d+)");

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
    check(spec);
    var cgroups = Cgroups.make(place.id(), spec.limits());
    try {
      Obstacles.requireHeld(spec, LimitOptions.enforcement(spec.limits(), cgroups));
      var process = launch(spec, place, cgroups);
      Lookup.save(place, cgroups);
      return new AgentSandbox(
          place,
          process,
          cgroups,
          LimitOptions.enforcement(spec.limits(), cgroups),
          Optional.of(tenancy(spec, place, process, cgroups)));
    } catch (IOException e) {
      cgroups.remove();
      throw new Problem(Problem.Code.SANDBOX_FAILED, "cannot start a sandbox: " + e).causedBy(e);
    } catch (RuntimeException e) {
      cgroups.remove();
      throw e;
    }
  }

  private static SandboxProcess launch(SandboxSpec spec, SandboxPlace place, Cgroups cgroups)
      throws IOException {
    var options = new ArrayList<>(LimitOptions.of(spec.limits(), cgroups));
    Identity.of(place.id()).ifPresent(uid -> options.addAll(identity(uid, place)));
    options.addAll(EnvironmentFile.write(place, Variables.of(spec)));
    new Launcher(place, options, new Walls(spec, place).command()).start(spec, Obstacles::explain);
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
    var found = CHILD.matcher(Files.readString(place.info()));
    return Optional.of(found)
        .filter(java.util.regex.Matcher::find)
        .flatMap(match -> FirstProcess.of(Long.parseLong(match.group(1))))
        .orElseThrow(() -> new IOException("bubblewrap did not say which process is the first"));
  }

  @Override
  public Optional<Sandbox> find(SandboxSpec spec, SandboxPlace place, SandboxProcess process) {
    return Lookup.find(
        spec, place, process, cgroups -> Optional.of(tenancy(spec, place, process, cgroups)));
  }

  private static Tenancy tenancy(
      SandboxSpec spec, SandboxPlace place, SandboxProcess process, Cgroups cgroups) {
    return new Tenancy(
        process.pid(),
        Walls.OWNER,
        Walls.OWNER,
        cgroups.folders(),
        LimitOptions.rlimits(spec.limits(), cgroups),
        place.agent().resolveSibling("husk-agent.filter"),
        Variables.of(spec));
  }
}
