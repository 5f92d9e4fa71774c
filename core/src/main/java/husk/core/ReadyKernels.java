package husk.core;

import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.sandboxes.PoolSettings;
import husk.sandboxes.ReadyHome;
import husk.sandboxes.Stock;
import java.util.Optional;
import java.util.function.Supplier;

/// Kernels that run before anybody asks, each in a sandbox of its own, and each given away once.
///
/// One is given only to whoever would have got the very same: it is started by the same code, as
/// the same [StoredLaunch] but for its id, and whoever takes it takes its id too. Nothing of it is
/// in the registry but its sandbox, which has no name until then.
final class ReadyKernels
    implements AutoCloseable, Stock.Maker<StoredLaunch, ReadyKernels.ReadyKernel> {
  /// The id in the launches that kernels are compared by.
  private static final String NOBODY = "0".repeat(32);

  /// A kernel that waits.
  record ReadyKernel(StoredLaunch launch, ReadyHome home, KernelProcess process) {
    String kernelId() {
      return launch.launch().kernelId();
    }
  }

  private final Kernels kernels;
  private final Places places;
  private final Stock<StoredLaunch, ReadyKernel> stock;

  ReadyKernels(Kernels kernels, Places places, PoolSettings settings) {
    this.kernels = kernels;
    this.places = places;
    this.stock = new Stock<>(this, settings);
  }

  /// One that stands ready and is as planned.
  Optional<ReadyKernel> take(Preparation.Plan plan) {
    if (!plan.ordinary()) {
      return Optional.empty();
    }
    var kind = plan.as(NOBODY).launch();
    return kind.home().filter(KernelHome::ordinary).flatMap(_ -> stock.take(kind));
  }

  /// It is somebody's from now on; false when it is gone, and nothing of it is left.
  boolean give(ReadyKernel ready) {
    var home = ready.launch().home().orElseThrow();
    boolean given = kernels.homes().give(ready.home(), ready.kernelId(), home);
    if (given) {
      // It is as old as its caller's wish.
      kernels.live(ready.kernelId()).hold(0);
    } else {
      discard(ready);
    }
    return given;
  }

  /// See [Stock#byHand].
  KernelRecord byHand(Supplier<KernelRecord> starting) {
    return stock.byHand(starting);
  }

  @Override
  public ReadyKernel make(StoredLaunch kind) {
    var launch = kind.of(Ids.fresh(), places);
    var kernelId = launch.launch().kernelId();
    var home = kernels.homes().ready(kernelId, launch.home().orElseThrow(), launch.interpreter());
    try {
      Preparation.writeFiles(launch.launch(), Preparation.OWN);
      var process = kernels.startUnasked(launch, home.sandbox().tenancy().orElseThrow());
      return new ReadyKernel(launch, home, process);
    } catch (RuntimeException e) {
      remove(launch, home);
      throw e;
    }
  }

  @Override
  public boolean usable(ReadyKernel ready) {
    return kernels.answers(ready.kernelId(), ready.process());
  }

  @Override
  public void discard(ReadyKernel ready) {
    remove(ready.launch(), ready.home());
  }

  /// Its processes end with the sandbox, whose row tells of its files: it goes last.
  private void remove(StoredLaunch launch, ReadyHome home) {
    kernels.live(launch.launch().kernelId()).disconnect();
    kernels.removeFiles(launch.launch().kernelId(), places);
    kernels.homes().discard(home);
  }

  int size() {
    return stock.size();
  }

  @Override
  public void close() {
    stock.close();
  }
}
