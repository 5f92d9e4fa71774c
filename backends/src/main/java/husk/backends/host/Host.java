package husk.backends.host;

import husk.backends.agents.AgentSandbox;
import husk.backends.agents.Cgroups;
import husk.backends.agents.EnvironmentFile;
import husk.backends.agents.FirstProcess;
import husk.backends.agents.Launcher;
import husk.backends.agents.Lookup;
import husk.model.Problem;
import husk.spi.Backend;
import husk.spi.Capabilities;
import husk.spi.Enforcement;
import husk.spi.Limits;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxProcess;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// No isolation whatever: for those who say so.
public final class Host implements Backend {
  @Override
  public String name() {
    return "host";
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(false, false, false, false, true);
  }

  @Override
  public Optional<Problem> unavailable() {
    return Optional.empty();
  }

  @Override
  public void check(SandboxSpec spec) {
    refuse(spec.profile() != Profile.PERMISSIVE, "profile " + spec.profile().wireName());
    refuse(!spec.egress().open() || !spec.egress().deny().isEmpty(), "rules for the network");
    refuse(!spec.mounts().isEmpty(), "mounts");
    refuse(spec.commands().isPresent(), "rules for commands");
    refuse(!spec.limits().equals(Limits.NONE), "limits");
  }

  private static void refuse(boolean asked, String what) {
    if (asked) {
      throw new Problem(
          Problem.Code.CAPABILITY_MISSING,
          "the backend `host` isolates nothing and cannot honour " + what,
          "use `--backend bubblewrap`",
          "or leave it out, knowing that commands may then do whatever you may");
    }
  }

  @Override
  public Sandbox start(SandboxSpec spec, SandboxPlace place) {
    check(spec);
    var none = Cgroups.none();
    var program = new ArrayList<>(List.of(place.agent().toString(), "serve", "--host", "yes"));
    program.addAll(List.of("--seccomp", "no", "--cwd", place.workspace().toString()));
    if (spec.temporarySeconds() > 0) {
      program.addAll(List.of("--temporary", Integer.toString(spec.temporarySeconds())));
    }
    program.addAll(List.of("--env-fd", Integer.toString(EnvironmentFile.DESCRIPTOR)));
    var process =
        new Launcher(place, environment(spec, place), program)
            .start(spec.withoutNetwork(), Host::explain);
    try {
      Lookup.save(place, none);
      return new AgentSandbox(
          place,
          FirstProcess.of(process.pid()).orElseThrow(() -> explain("it ended at once")),
          none,
          new Enforcement(Map.of()),
          Optional.empty());
    } catch (IOException e) {
      process.destroyForcibly();
      throw explain(e.toString());
    }
  }

  private static List<String> environment(SandboxSpec spec, SandboxPlace place) {
    try {
      return EnvironmentFile.write(place, variables(spec, place));
    } catch (IOException e) {
      throw explain(e.toString());
    }
  }

  private static Map<String, String> variables(SandboxSpec spec, SandboxPlace place) {
    var variables = new java.util.TreeMap<String, String>();
    variables.put("PATH", Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin"));
    variables.put("HOME", place.home().toString());
    variables.put("LANG", "C.UTF-8");
    variables.putAll(spec.env());
    return variables;
  }

  private static Problem explain(String said) {
    return new Problem(Problem.Code.SANDBOX_FAILED, "the agent could not be started: " + said);
  }

  @Override
  public Optional<Sandbox> find(SandboxSpec spec, SandboxPlace place, SandboxProcess process) {
    return Lookup.find(spec, place, process, _ -> Optional.empty());
  }
}
