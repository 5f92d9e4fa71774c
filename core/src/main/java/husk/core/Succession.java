package husk.core;

import husk.model.Death;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.store.Registry;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/// Puts another process in the place of a kernel's: under its id, with its name and connection.
final class Succession {
  private final Registry registry;
  private final Kernels kernels;

  Succession(Registry registry, Kernels kernels) {
    this.registry = registry;
    this.kernels = kernels;
  }

  /// Ends what a kernel, alive or dead, is now. If nothing can take its place it is dead, and comes
  /// back as a kernel that has died does.
  KernelRecord replace(KernelRecord record, Supplier<KernelProcess> successor) {
    var now =
        registry.find(record.kernelId()).orElseThrow(() -> Lifecycle.unknown(Copies.shown(record)));
    registry.update(now.kernelId(), row -> row.startingBy(Self.PROCESS));
    try {
      now.process().ifPresent(former -> kernels.live(now.kernelId()).replaced = former.pid());
      kernels.end(now);
      return started(now, successor.get());
    } catch (RuntimeException e) {
      registry.update(
          now.kernelId(), row -> row.startFailed(Death.unknown("nothing could take its place")));
      throw e;
    }
  }

  /// Notes who a kernel is, whose row names this process as its starter.
  KernelRecord started(KernelRecord record, KernelProcess process) {
    return registry
        .update(record.kernelId(), row -> row.started(process, Optional.empty(), Instant.now()))
        .orElseThrow(() -> Lifecycle.unknown(Copies.shown(record)));
  }
}
