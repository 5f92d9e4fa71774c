package husk.api.jupyter;

import husk.core.Service;
import husk.model.KernelRecord;
import husk.model.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Finds and changes sessions where they are kept, on their kernels.
final class JupyterSessions {
  private final Service core;

  JupyterSessions(Service core) {
    this.core = core;
  }

  List<JupyterSession.On> all() {
    return core.list().stream().flatMap(kernel -> on(kernel).stream()).toList();
  }

  private static List<JupyterSession.On> on(KernelRecord kernel) {
    return kernel.tags().entrySet().stream()
        .filter(tag -> tag.getKey().startsWith(JupyterSession.TAG))
        .flatMap(tag -> read(tag.getValue()).stream())
        .map(session -> new JupyterSession.On(session, kernel))
        .toList();
  }

  /// Labels are everybody's; one that is no session is none.
  private static Optional<JupyterSession> read(String json) {
    try {
      return Optional.of(JupyterSession.of(json));
    } catch (Problem foreign) {
      return Optional.empty();
    }
  }

  JupyterSession.On require(String id) {
    return all().stream()
        .filter(on -> on.session().id().equals(id))
        .findFirst()
        .orElseThrow(() -> new Problem(Problem.Code.SESSION_NOT_FOUND, "Session not found: " + id));
  }

  Optional<JupyterSession.On> atPath(String path) {
    return all().stream().filter(on -> on.session().path().equals(path)).findFirst();
  }

  JupyterSession.On put(JupyterSession session, String kernelId) {
    return new JupyterSession.On(
        session, change(kernelId, tags -> tags.put(session.tag(), session.json())));
  }

  void remove(JupyterSession session, String kernelId) {
    change(kernelId, tags -> tags.remove(session.tag()));
  }

  private KernelRecord change(String kernelId, Consumer<Map<String, String>> change) {
    return core.tag(
            kernelId,
            tags -> {
              var changed = new HashMap<>(tags);
              change.accept(changed);
              return changed;
            })
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.KERNEL_NOT_FOUND, "the session's kernel was destroyed meanwhile"));
  }

  /// Whether a kernel is of use to any session.
  boolean used(String kernelId) {
    return core.find(kernelId).filter(kernel -> !on(kernel).isEmpty()).isPresent();
  }
}
