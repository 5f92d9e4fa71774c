package husk.kernels;

import husk.model.KernelProcess;
import husk.spi.ProcessStat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Ends kernels together with everything they started, and waits until all of it is gone.
///
/// What a kernel started is found in three ways, because each can be evaded alone: descent from its
/// process, its session, and (for orphans that left both) the variable [#MARKER] in the environment
/// they were born with.
public final class ProcessTree {
  /// Set to the kernel's id in the environment of every kernel.
  public static final String MARKER = "HUSK_KERNEL_ID";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /// A killed process is gone within this, mostly.
  private static final Duration MOMENT = Duration.ofNanos(300_000);

  private ProcessTree() {}

  /// Kills one kernel's whole tree; true when nothing of it is left.
  public static boolean kill(KernelProcess kernel, String kernelId) {
    return kill(Map.of(kernelId, kernel));
  }

  /// The same for one that cannot have started anything outside of a control group.
  public static boolean kill(KernelProcess kernel, String kernelId, Path group) {
    return kill(Map.of(kernelId, kernel), () -> ProcFs.in(group));
  }

  /// Kills the trees of many kernels, by id, with one look at the process table per round.
  public static boolean kill(Map<String, KernelProcess> kernels) {
    return kill(kernels, ProcFs::all);
  }

  private static boolean kill(
      Map<String, KernelProcess> kernels, Supplier<List<ProcessStat>> table) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      var members = members(kernels, table.get());
      if (members.isEmpty()) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        return false;
      }
      members.forEach(pid -> Signals.send(pid, Signals.KILL));
      Threads.sleep(MOMENT);
    }
  }

  /// The pids of the kernels' living processes, themselves included.
  private static Set<Long> members(
      Map<String, KernelProcess> kernels, List<ProcessStat> everything) {
    var leaders = new HashMap<Long, KernelProcess>();
    kernels.values().forEach(kernel -> leaders.put(kernel.pid(), kernel));
    var sessionLeaders = sessionLeaders(everything);
    var ours = new HashSet<Long>();
    for (var process : everything) {
      if (isKernel(process, leaders)
          || inSession(process, leaders)
          || (isOrphan(process, sessionLeaders) && marked(process, kernels))) {
        ours.add(process.pid());
      }
    }
    addDescendants(ours, everything);
    // Whatever a row may say, this process is no part of a kernel.
    ours.remove(ProcessHandle.current().pid());
    return ours;
  }

  private static boolean isKernel(ProcessStat process, Map<Long, KernelProcess> leaders) {
    var kernel = leaders.get(process.pid());
    return kernel != null && (kernel.startTime() == 0 || kernel.startTime() == process.startTime());
  }

  /// A session's number may be given anew; its true members are no older than the kernel.
  private static boolean inSession(ProcessStat process, Map<Long, KernelProcess> leaders) {
    var kernel = leaders.get(process.session());
    return kernel != null
        && process.pid() != kernel.pid()
        && process.startTime() >= kernel.startTime();
  }

  /// Orphans are adopted by the first process or by a warm parent, which leads its own session.
  private static boolean isOrphan(ProcessStat process, Set<Long> sessionLeaders) {
    return process.parent() == 1 || sessionLeaders.contains(process.parent());
  }

  private static boolean marked(ProcessStat process, Map<String, KernelProcess> kernels) {
    return ProcFs.environment(process.pid(), MARKER).filter(kernels::containsKey).isPresent();
  }

  private static Set<Long> sessionLeaders(List<ProcessStat> everything) {
    var leaders = new HashSet<Long>();
    for (var process : everything) {
      if (process.session() == process.pid()) {
        leaders.add(process.pid());
      }
    }
    return leaders;
  }

  private static void addDescendants(Set<Long> ours, List<ProcessStat> everything) {
    boolean grown = true;
    while (grown) {
      grown = false;
      for (var process : everything) {
        if (ours.contains(process.parent()) && ours.add(process.pid())) {
          grown = true;
        }
      }
    }
  }
}
