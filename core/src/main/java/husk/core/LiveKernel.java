package husk.core;

import husk.kernels.Exit;
import husk.kernels.KernelClient;
import husk.kernels.ProcFs;
import husk.model.Death;
import husk.spi.Tenancy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What this process holds of a kernel: its line to it, and the queue of those who want to use it.
final class LiveKernel {
  final String kernelId;

  /// Held by whoever's execution runs; fair, so that executions run in the order they came.
  final ReentrantLock turn = new ReentrantLock(true);

  /// Held while it is connected to, started, restarted or destroyed.
  final ReentrantLock lifecycle = new ReentrantLock();

  /// How it is started, once that was looked up.
  volatile Optional<StoredLaunch> launch = Optional.empty();

  volatile boolean busy;
  volatile long lastActiveNanos = System.nanoTime();

  /// The process it was last connected to.
  volatile long pid;

  /// How its processes ended, by pid; those of a kernel that was restarted must not be mixed up.
  private final Map<Long, CompletableFuture<Exit>> exits = new ConcurrentHashMap<>();

  /// Whether the persistent shell has been brought into a kernel that is not Husk's own.
  volatile boolean shellLoaded;

  /// Set while Husk itself kills it, so that nobody takes that for a lack of memory.
  volatile boolean killedHere;

  /// Whether the sandbox it had to itself was removed.
  volatile boolean homeless;

  /// Why it is about to die, when Husk kills it for a reason of its own.
  volatile Optional<Death> foreseen = Optional.empty();

  /// The process that another state of it took the place of last.
  volatile long replaced;

  /// The sandbox it lives in, if it does. Kills for want of memory are counted there; outside, it
  /// is the machine's count.
  private volatile Optional<Tenancy> tenancy = Optional.empty();

  private volatile boolean known;

  /// How often the system had killed for want of memory when it last began to do something. The
  /// system does not say whom it killed: a kernel that got a KILL nobody here sent, while this
  /// count went up, was it.
  private volatile long memoryKillsBefore = MemoryKills.lately();

  /// Clients with lines of their own.
  private final Set<Attachment> attachments = ConcurrentHashMap.newKeySet();

  private final AtomicInteger holds = new AtomicInteger();

  private @Nullable KernelClient client;

  LiveKernel(String kernelId) {
    this.kernelId = kernelId;
  }

  CompletableFuture<Exit> exit(long process) {
    return exits.computeIfAbsent(process, _ -> new CompletableFuture<>());
  }

  void attach(Attachment attachment) {
    attachments.add(attachment);
  }

  void detach(Attachment attachment) {
    attachments.remove(attachment);
  }

  /// Counts those who keep it from being idle.
  void hold(int change) {
    holds.addAndGet(change);
    lastActiveNanos = System.nanoTime();
  }

  boolean held() {
    return holds.get() > 0;
  }

  void hungUp() {
    attachments.forEach(Attachment::hungUp);
  }

  void livesIn(Optional<Tenancy> sandbox) {
    tenancy = sandbox;
    known = true;
    begins();
  }

  /// The control group that holds everything it may start, if there is one.
  Optional<Path> group() {
    return tenancy.flatMap(place -> place.cgroups().stream().findFirst());
  }

  private Optional<Path> memoryCounter() {
    return tenancy.flatMap(Tenancy::memoryCounter);
  }

  /// Whether its sandbox has little memory left.
  boolean shortOfMemory() {
    return memoryCounter().map(Path::getParent).filter(MemoryLeft::scarce).isPresent();
  }

  /// Whether it was ever said where it lives.
  boolean known() {
    return known;
  }

  /// It is about to do something.
  void begins() {
    memoryKillsBefore =
        memoryCounter().map(ProcFs::outOfMemoryKills).orElseGet(MemoryKills::lately);
  }

  boolean memoryRanOut() {
    long now = memoryCounter().map(ProcFs::outOfMemoryKills).orElseGet(ProcFs::outOfMemoryKills);
    return !killedHere && now > memoryKillsBefore;
  }

  void onBusy(boolean now) {
    busy = now;
    lastActiveNanos = System.nanoTime();
  }

  synchronized @Nullable KernelClient openClient() {
    var present = client;
    return present != null && present.isOpen() ? present : null;
  }

  synchronized void connected(KernelClient changed) {
    client = changed;
  }

  /// Forgets everything that belonged to the former process.
  void disconnect() {
    KernelClient former;
    synchronized (this) {
      former = client;
      client = null;
    }
    if (former != null) {
      former.close();
    }
    busy = false;
    shellLoaded = false;
  }
}
