package husk;

import husk.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sandboxes by name: isolated places with files, processes, a network and limits of their own.
///
/// {@snippet class="husk.examples.InASandbox" region="sandbox"}
///
/// They outlive the [Husk] they were made with, unless they have no name. A kernel lives in one of
/// them with [husk.model.KernelOptions#at].
public final class Sandboxes {
  private final SandboxDesk desk;

  Sandboxes(SandboxDesk desk) {
    this.desk = desk;
  }

  /// A new sandbox of this name; one that exists is a [Problem].
  public Sandbox create(String name) {
    return create(SandboxOptions.named(name));
  }

  /// A new sandbox. What this machine cannot hold is a [Problem], and nothing is started.
  public Sandbox create(SandboxOptions options) {
    return new Sandbox(desk, desk.create(options).name(), options.name().isEmpty());
  }

  /// The sandbox of this name; that there is none is a [Problem].
  public Sandbox get(String name) {
    return new Sandbox(desk, desk.info(name).name(), false);
  }

  public Optional<Sandbox> find(String name) {
    return Problems.absent(Problem.Code.SANDBOX_NOT_FOUND, () -> get(name));
  }

  /// All sandboxes, oldest first.
  public List<SandboxRecord> list() {
    return list(Map.of());
  }

  /// Those that have all of these labels.
  public List<SandboxRecord> list(Map<String, String> labels) {
    return desk.list(labels);
  }

  /// Ends a sandbox and removes its files.
  ///
  /// @return whether there was one
  public boolean remove(String name) {
    return desk.remove(name);
  }
}
