package husk.core;

import husk.sandboxes.SandboxRequest;
import husk.store.Registry;
import husk.store.SandboxRow;
import java.util.Optional;

/// The files of kernels that waited for somebody when the process that kept them was killed.
///
/// Their sandboxes are in the registry without a name, and are removed by whoever opens the
/// sandboxes next; what only kernels have is removed before, while there is a row that tells of it.
final class LostKernels {
  private final Registry registry;
  private final Kernels kernels;
  private final Places places;

  LostKernels(Registry registry, Kernels kernels, Places places) {
    this.registry = registry;
    this.kernels = kernels;
    this.places = places;
  }

  /// @param row of a sandbox that nobody waits for any more
  void removeFiles(SandboxRow row) {
    Optional.ofNullable(row.labels().get(SandboxRequest.KERNEL_LABEL))
        .filter(id -> registry.find(id).isEmpty())
        .ifPresent(id -> kernels.removeFiles(id, places));
  }
}
