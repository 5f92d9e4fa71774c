package husk.spi;

import husk.model.Problem;
import java.util.Optional;

/// One way of making sandboxes. Found by `ServiceLoader`: a new backend is a new module.
public interface Backend {
  /// As users spell it: `bubblewrap`, `host`.
  String name();

  Capabilities capabilities();

  /// Why this machine cannot use it, with the remedy; empty when it can.
  Optional<Problem> unavailable();

  /// Refuses what this backend cannot honour, before anything is started.
  void check(SandboxSpec spec);

  /// Starts a sandbox; it answers when this returns.
  Sandbox start(SandboxSpec spec, SandboxPlace place);

  /// The same in the family of other sandboxes, so that kernels can be copied from there to here.
  ///
  /// @param family its first process
  default Sandbox startBeside(SandboxSpec spec, SandboxPlace place, long family) {
    throw new Problem(
        Problem.Code.CAPABILITY_MISSING,
        "kernels cannot be copied between sandboxes of the backend `" + name() + "`",
        "use the backend bubblewrap");
  }

  /// A sandbox that an earlier process started; empty when it no longer lives.
  Optional<Sandbox> find(SandboxSpec spec, SandboxPlace place, SandboxProcess process);
}
