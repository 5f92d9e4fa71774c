package husk.core;

import husk.kernels.KernelClient;
import husk.model.Checkpoint;
import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.spi.Tenancy;
import java.util.List;
import java.util.Optional;

/// A checkpoint that lives for a moment, to be asked, beside its kernel in the same sandbox.
///
/// It is in no list. Its processes carry the kernel's mark: should this process be killed
/// meanwhile, they end with the kernel.
final class Glimpse implements AutoCloseable {
  private final Kernels kernels;
  private final Places places;
  private final LiveKernel live;
  private final KernelProcess process;

  private Glimpse(Kernels kernels, Places places, LiveKernel live, KernelProcess process) {
    this.kernels = kernels;
    this.places = places;
    this.live = live;
    this.process = process;
  }

  static Glimpse of(Kernels kernels, Places places, KernelRecord record, Checkpoint checkpoint) {
    var original = kernels.launch(record.kernelId());
    var launch = original.of(Ids.fresh(), places);
    var live = kernels.live(launch.launch().kernelId());
    live.launch = Optional.of(launch);
    try {
      Preparation.writeFiles(launch.launch(), Preparation.OWN);
      var process =
          kernels.startCopy(
              launch, tenancy(kernels, record, original), checkpoint.id(), false, () -> {});
      return new Glimpse(kernels, places, live, process);
    } catch (RuntimeException e) {
      kernels.removeFiles(live.kernelId, places);
      throw e;
    }
  }

  private static Optional<Tenancy> tenancy(
      Kernels kernels, KernelRecord record, StoredLaunch original) {
    return original
        .home()
        .map(
            home ->
                kernels.homes().enter(record.kernelId(), home, original.interpreter(), List.of()));
  }

  KernelClient client() {
    return java.util.Objects.requireNonNull(live.openClient(), "it has just been connected to");
  }

  @Override
  public void close() {
    live.killedHere = true;
    live.disconnect();
    Kernels.kill(live, process);
    kernels.removeFiles(live.kernelId, places);
  }
}
