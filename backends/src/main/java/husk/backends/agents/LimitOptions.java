package husk.backends.agents;

import husk.spi.Enforcement;
import husk.spi.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How limits are held where cgroups do not: the launcher's options, and what is said about it.
public final class LimitOptions {
  private LimitOptions() {}

  /// The launcher's options for these limits.
  public static List<String> of(Limits limits, Cgroups cgroups) {
    var options = new ArrayList<String>();
    cgroups.folders().forEach(folder -> options.addAll(List.of("--cgroup", folder.toString())));
    add(options, "core", 0);
    Limits.given(limits.openFiles()).ifPresent(number -> add(options, "nofile", number));
    Limits.given(limits.processes()).ifPresent(number -> add(options, "nproc", number));
    Limits.given(limits.fileSizeMb()).ifPresent(size -> add(options, "fsize", size << 20));
    if (limits.memoryMb() > 0 && !cgroups.holds().containsKey("memory")) {
      add(options, "data", limits.memoryMb() << 20);
    }
    if (byAffinity(limits, cgroups)) {
      options.addAll(List.of("--cpus", "0-" + (limits.cpuPercent() / 100 - 1)));
    }
    return options;
  }

  private static void add(List<String> options, String name, long value) {
    options.add("--rlimit");
    options.add(name + "=" + value);
  }

  /// Whole cores can be given without a cgroup.
  private static boolean byAffinity(Limits limits, Cgroups cgroups) {
    return limits.cpuPercent() > 0
        && limits.cpuPercent() % 100 == 0
        && !cgroups.holds().containsKey("cpu");
  }

  /// What holds each limit that was asked for.
  public static Enforcement enforcement(Limits limits, Cgroups cgroups) {
    var by = new LinkedHashMap<String, String>(cgroups.holds());
    put(by, "memory", limits.memoryMb(), "rlimit (of each process)");
    put(by, "cpu", limits.cpuPercent(), byAffinity(limits, cgroups) ? "affinity" : "none");
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
