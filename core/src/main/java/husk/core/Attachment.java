package husk.core;

import husk.kernels.ConnectionFiles;
import husk.kernels.LastWords;
import husk.kernels.Threads;
import husk.model.Death;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.store.Registry;
import husk.wire.ConnectionInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// A remote client's relation to a kernel it talks to over a line of its own: where to connect,
/// what became of the kernel when the line breaks, and how to get it back.
public final class Attachment implements AutoCloseable {
  /// How long what others do to a kernel, or what its process still does, may take to show.
  private static final Duration NEWS = Duration.ofSeconds(3);

  private final Registry registry;
  private final Kernels kernels;
  private final Lifecycle lifecycle;
  private final LiveKernel kernel;
  private final Runnable consent;
  private final Runnable onProcessEnd;
  private volatile Optional<KernelProcess> process = Optional.empty();
  private boolean held;

  Attachment(
      Registry registry,
      Kernels kernels,
      Lifecycle lifecycle,
      String kernelId,
      Runnable consent,
      Runnable onProcessEnd) {
    this.registry = registry;
    this.kernels = kernels;
    this.lifecycle = lifecycle;
    this.kernel = kernels.live(kernelId);
    this.consent = consent;
    this.onProcessEnd = onProcessEnd;
    kernel.attach(this);
  }

  /// Where the kernel listens, once it lives; one that is dead is started anew.
  public ConnectionInfo connection() throws IOException {
    consent.run();
    var record = lifecycle.revive(row().orElseThrow(() -> Lifecycle.unknown(kernel.kernelId)));
    process = record.record().process();
    // Its end is noticed by whoever holds a line of this process to it.
    Threads.start("husk-attach", () -> watch(record.record()));
    return ConnectionFiles.read(record.record().connectionFile());
  }

  private void watch(KernelRecord record) {
    try {
      kernels.client(record);
    } catch (RuntimeException unreachable) {
      // the line itself says so
    }
  }

  private Optional<KernelRecord> row() {
    return registry.find(kernel.kernelId);
  }

  /// Keeps the kernel from being taken for idle until [#release].
  public synchronized void hold() {
    if (!held) {
      held = true;
      kernel.hold(1);
    }
  }

  public synchronized void release() {
    if (held) {
      held = false;
      kernel.hold(-1);
    }
  }

  /// The process it was last connected to.
  public Optional<KernelProcess> process() {
    return process;
  }

  /// Notes that the client makes the kernel do something.
  public void used() {
    kernel.lastActiveNanos = System.nanoTime();
    kernel.begins();
  }

  /// What became of the kernel, asked when the line to it has broken.
  public AttachedFate fate() {
    long deadline = System.nanoTime() + NEWS.toNanos();
    while (true) {
      var row = row();
      if (row.isEmpty()) {
        return new AttachedFate.Destroyed();
      }
      var now = kernels.refreshed(row.get());
      if (now.status() == KernelStatus.STARTING) {
        return startedAnew();
      }
      if (now.status().alive()) {
        if (!now.process().equals(process)) {
          return startedAnew();
        }
        if (System.nanoTime() > deadline) {
          return new AttachedFate.Alive();
        }
        // A process closes its sockets a moment before it is gone.
        Threads.sleep(5);
        continue;
      }
      var death = now.death().orElse(Death.unknown("the kernel's process is gone"));
      if (!onPurpose(death) || System.nanoTime() > deadline) {
        return new AttachedFate.Died(death);
      }
      Threads.sleep(5);
    }
  }

  private AttachedFate startedAnew() {
    return process.filter(former -> former.pid() == kernel.replaced).isPresent()
        ? new AttachedFate.Replaced()
        : new AttachedFate.Restarted();
  }

  /// A kernel that is being destroyed, or restarted, ends a moment before its row says why.
  private boolean onPurpose(Death death) {
    return kernel.foreseen.isEmpty()
        && (kernel.killedHere || death.exitCode().filter(code -> code == 0).isPresent());
  }

  /// Whether the kernel writes down what it says, when a request's metadata ask for it.
  public boolean keepsLastWords() {
    return kernels.launch(kernel.kernelId).own();
  }

  /// Tells `hearer` what a dead kernel had said for a request, but the first `heard` outputs of it.
  public void lastWords(String messageId, long heard, LastWords.Hearer hearer) {
    try {
      LastWords.replay(
          kernels.launch(kernel.kernelId).launch().directory(), messageId, heard, hearer);
    } catch (Problem destroyed) {
      // they are gone with it
    }
  }

  /// Called when this process lost its own line to the kernel. Descendants of a dead kernel may
  /// hold the client's line open.
  void hungUp() {
    if (process.filter(husk.kernels.ProcFs::alive).isEmpty()) {
      onProcessEnd.run();
    }
  }

  @Override
  public void close() {
    release();
    kernel.detach(this);
  }
}
