package husk.backends.agents;

import husk.spi.Enforcement;
import husk.spi.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How limits are held where cgroups do not: the launcher's options, and what is said about it.
public final class LimitOptions {
  /// Signals that wait, and timers.
  private static final long SIGNALS = 1024;

  /// Bytes in message queues; two of the usual size.
  private static final long QUEUES = 200L << 10;

  /// Bytes that each process may keep in memory; what distributions usually allow.
  private static final long LOCKED = 8L << 20;

  private LimitOptions() {}

  /// The launcher's options for these limits.
  public static List<String> of(Limits limits, Cgroups cgroups) {
    var options = new ArrayList<String>();
    cgroups.folders().forEach(folder -> options.addAll(List.of("--cgroup", folder.toString())));
    cgroups
        .memoryCounter()
        .ifPresent(file -> options.addAll(List.of("--oom-file", file.toString())));
    cgroups
        .processCounter()
        .ifPresent(file -> options.addAll(List.of("--pids-file", file.toString())));
    rlimits(limits, cgroups)
        .forEach((name, value) -> options.addAll(List.of("--rlimit", name + "=" + value)));
    if (fixesProcessors(limits, cgroups)) {
      options.addAll(List.of("--cpus", "0-" + (limits.cpuPercent() / 100 - 1)));
    }
    return options;
  }

  /// What every process of the sandbox is held to, by the limits' names.
  public static Map<String, Long> rlimits(Limits limits, Cgroups cgroups) {
    var rlimits = new LinkedHashMap<String, Long>();
    // As a limit, 0 would still let a crash start the program that the host keeps for crashes.
    rlimits.put("core", 1L);
    // Of these a user has so many in all, and that user may be the one of the daemon.
    rlimits.put("sigpending", SIGNALS);
    rlimits.put("msgqueue", QUEUES);
    rlimits.put("memlock", LOCKED);
    Limits.given(limits.openFiles()).ifPresent(number -> rlimits.put("nofile", number));
    if (limits.processes() > 0 && !cgroups.holds().containsKey("processes")) {
      rlimits.put("nproc", limits.processes());
    }
    Limits.given(limits.fileSizeMb()).ifPresent(size -> rlimits.put("fsize", size << 20));
    if (limits.memoryMb() > 0 && !cgroups.holds().containsKey("memory")) {
      rlimits.put("data", limits.memoryMb() << 20);
    }
    return rlimits;
  }

  /// Whole cores can be given without a cgroup, as long as nobody inside may choose others.
  public static boolean fixesProcessors(Limits limits, Cgroups cgroups) {
    return limits.cpuPercent() > 0
        && limits.cpuPercent() % 100 == 0
        && !cgroups.holds().containsKey("cpu");
  }

  /// What holds each limit that was asked for.
  public static Enforcement enforcement(Limits limits, Cgroups cgroups) {
    var by = new LinkedHashMap<String, String>(cgroups.holds());
    put(by, "memory", limits.memoryMb(), "rlimit (of each process)");
    put(by, "cpu", limits.cpuPercent(), fixesProcessors(limits, cgroups) ? "affinity" : "none");
    put(by, "processes", limits.processes(), "rlimit");
    put(by, "open_files", limits.openFiles(), "rlimit");
    put(by, "file_size", limits.fileSizeMb(), "rlimit");
    put(by, "workspace", limits.workspaceMb(), "watched");
    put(by, "tmp", limits.tmpMb(), "tmpfs");
    return new Enforcement(by);
  }

  private static void put(Map<String, String> by, String name, long limit, String how) {
    if (limit > 0) {
      by.putIfAbsent(name, how);
    }
  }
}
