package husk.core;

import husk.core.trust.TrustStore;
import husk.model.Problem;
import husk.sandboxes.Asker;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.sandboxes.Sandboxes;
import husk.spi.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Makes sandboxes with what a project says and needs: its file's settings and files, the tools of
/// its language, and a Python for kernels that may come to live there.
final class EquippedSandboxes {
  private final Supplier<Sandboxes> sandboxes;
  private final Places places;
  private final Function<Caller, Optional<PythonEnvironments.Found>> python;
  private final KernelHomes homes;
  private final TrustStore trust;

  EquippedSandboxes(
      Supplier<Sandboxes> sandboxes,
      Places places,
      Function<Caller, Optional<PythonEnvironments.Found>> python,
      KernelHomes homes) {
    this.sandboxes = sandboxes;
    this.places = places;
    this.python = python;
    this.homes = homes;
    this.trust = new TrustStore(places.home());
  }

  SandboxInfo create(
      SandboxRequest asked, Optional<String> config, Optional<String> program, Caller caller) {
    var project = ProjectFile.find(config, caller);
    var completed = project.map(file -> file.complete(asked, trust)).orElse(asked);
    program.ifPresent(name -> requirePermitted(completed, name));
    var request =
        completed.backend().filter(KernelHomes.HOST::equals).isPresent()
            ? completed
            : new Toolchain(places.sandboxes().own()).equip(completed, program, project, caller);
    var asker = new Asker(caller.cwd().map(Path::of), caller.environment());
    var info = sandboxes.get().create(request, asker, neededInside(request, caller));
    try {
      project.ifPresent(file -> file.files().forEach(copied -> copy(info, copied)));
      return info;
    } catch (RuntimeException e) {
      sandboxes.get().remove(info.name());
      throw e;
    }
  }

  private static void requirePermitted(SandboxRequest request, String program) {
    if (request.commands().filter(rules -> !rules.permits(program)).isPresent()) {
      throw new Problem(
          Problem.Code.FORBIDDEN,
          "`" + program + "` may not be run here: the project's rules for commands refuse it",
          "change `[security.commands]` in the project's file, or name another with `--config`");
    }
  }

  private void copy(SandboxInfo info, ProjectFile.Copied file) {
    try (var contents = Files.newInputStream(file.source())) {
      sandboxes.get().use(info.name()).files().write(file.target(), file.mode(), contents);
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.INVALID_REQUEST,
              "cannot copy `" + file.source() + "` into the sandbox: " + e.getMessage())
          .causedBy(e);
    }
  }

  private List<Mount> neededInside(SandboxRequest request, Caller caller) {
    if (request.temporarySeconds() > 0 || request.backend().filter("host"::equals).isPresent()) {
      return List.of();
    }
    try {
      return python.apply(caller).map(found -> homes.needed(found.interpreter())).orElse(List.of());
    } catch (Problem broken) {
      if (broken.code() == Problem.Code.PROJECT_NOT_TRUSTED) {
        throw broken;
      }
      // Commands need no Python.
      return List.of();
    }
  }
}
