package husk.core;

import husk.sandboxes.SandboxRequest;
import husk.store.Registry;
import husk.store.SandboxRow;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of kernels that waited for somebody when the process that kept them was killed.
///
/// Their sandboxes are in the registry without a name, and are removed by whoever opens the
/// sandboxes next; what only kernels have is removed here.
final class LostKernels {
  private final Registry registry;
  private final List<String> waiting;

  private LostKernels(Registry registry, List<String> waiting) {
    this.registry = registry;
    this.waiting = waiting;
  }

  /// Those that seem to wait now; some of them may belong to a process that lives.
  static LostKernels look(Registry registry) {
    return new LostKernels(registry, waiting(registry).toList());
  }

  private static Stream<String> waiting(Registry registry) {
    return registry.sandboxes().list().stream()
        .filter(row -> row.name().isEmpty())
        .map(SandboxRow::labels)
        .flatMap(labels -> Optional.ofNullable(labels.get(SandboxRequest.KERNEL_LABEL)).stream());
  }

  /// Removes the files of those whose sandboxes are gone by now.
  void removeFiles(Kernels kernels, Places places) {
    var stillThere = waiting(registry).toList();
    waiting.stream()
        .filter(id -> !stillThere.contains(id) && registry.find(id).isEmpty())
        .forEach(id -> kernels.removeFiles(id, places));
  }
}
