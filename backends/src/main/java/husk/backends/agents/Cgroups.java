package husk.backends.agents;

import husk.spi.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The cgroups that hold a sandbox's limits, of version 2 or version 1, whichever has the
/// controllers and lets this process make them.
///
/// They are made below this process's own cgroup, so that a limit on the daemon is one on what it
/// starts.
public final class Cgroups {
  /// The launcher, bubblewrap and a kernel's porter are held with a sandbox, but are not in it.
  private static final int OUTSIDE = 3;

  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_US = 100_000;

  private final List<Cgroup> made;
  private final Map<String, String> holds;

  private Cgroups(List<Cgroup> made, Map<String, String> holds) {
    this.made = List.copyOf(made);
    this.holds = Map.copyOf(holds);
  }

  /// For a sandbox without limits.
  public static Cgroups none() {
    return new Cgroups(List.of(), Map.of());
  }

  /// Wherever [#make] could make one, for who has to find them without having seen them made.
  public static Cgroups planned(String id) {
    var own = own();
    var folders = new ArrayList<Cgroup>();
    own.forEach(
        (controller, path) -> {
          int version = controller.isEmpty() ? 2 : 1;
          var root = ROOT.resolve(controller);
          folders.add(new Cgroup(parent(root, path).resolve("husk-" + id), version));
        });
    return new Cgroups(folders, Map.of());
  }

  /// Makes what can be made for these limits.
  public static Cgroups make(String id, Limits limits) {
    var own = own();
    return unified(id, limits, own).orElseGet(() -> separate(id, limits, own));
  }

  private static Optional<Cgroups> unified(String id, Limits limits, Map<String, String> own) {
    var root = Files.isRegularFile(ROOT.resolve("cgroup.controllers")) ? ROOT : null;
    var path = own.get("");
    if (root == null || path == null) {
      return Optional.empty();
    }
    var parent = parent(root, path);
    var files = new HashMap<String, String>();
    var holds = new HashMap<String, String>();
    try {
      var controllers = Files.readString(parent.resolve("cgroup.subtree_control"));
      add(controllers, "memory", limits.memoryMb(), holds, "memory", () -> memory2(limits, files));
      add(
          controllers,
          "cpu",
          limits.cpuPercent(),
          holds,
          "cpu",
          () -> files.put("cpu.max", quota(limits) + " " + PERIOD_US));
      add(
          controllers,
          "pids",
          limits.processes(),
          holds,
          "processes",
          () -> files.put("pids.max", Long.toString(limits.processes() + OUTSIDE)));
    } catch (IOException e) {
      return Optional.empty();
    }
    holds.replaceAll((_, _) -> "cgroup v2");
    return files.isEmpty()
        ? Optional.empty()
        : Cgroup.make(parent.resolve("husk-" + id), 2, files)
            .map(cgroup -> new Cgroups(List.of(cgroup), holds));
  }

  private static void add(
      String controllers,
      String controller,
      long limit,
      Map<String, String> holds,
      String name,
      Runnable files) {
    if (limit > 0 && List.of(controllers.strip().split(" ")).contains(controller)) {
      files.run();
      holds.put(name, controller);
    }
  }

  private static void memory2(Limits limits, Map<String, String> files) {
    files.put("memory.max", bytes(limits));
    files.put("memory.swap.max", "0");
  }

  /// Swap is kept from it twice: counted where the kernel counts it, and not used in any case. The
  /// sum of memory and swap may not be set below memory alone, so the order matters.
  private static Map<String, String> memory1(Limits limits) {
    var files = new LinkedHashMap<String, String>();
    files.put("memory.limit_in_bytes", bytes(limits));
    files.put("memory.memsw.limit_in_bytes", bytes(limits));
    files.put("memory.swappiness", "0");
    return files;
  }

  private static Cgroups separate(String id, Limits limits, Map<String, String> own) {
    var made = new ArrayList<Cgroup>();
    var holds = new HashMap<String, String>();
    var wanted = new HashMap<String, Map<String, String>>();
    if (limits.memoryMb() > 0) {
      wanted.put("memory", memory1(limits));
    }
    if (limits.cpuPercent() > 0) {
      wanted.put(
          "cpu",
          Map.of(
              "cpu.cfs_period_us", Integer.toString(PERIOD_US), "cpu.cfs_quota_us", quota(limits)));
    }
    if (limits.processes() > 0) {
      wanted.put("pids", Map.of("pids.max", Long.toString(limits.processes() + OUTSIDE)));
    }
    wanted.forEach(
        (controller, files) -> {
          var path = own.get(controller);
          if (path != null) {
            var folder = parent(ROOT.resolve(controller), path).resolve("husk-" + id);
            Cgroup.make(folder, 1, files)
                .ifPresent(
                    cgroup -> {
                      made.add(cgroup);
                      holds.put(controller.equals("pids") ? "processes" : controller, "cgroup v1");
                    });
          }
        });
    return new Cgroups(made, holds);
  }

  private static String bytes(Limits limits) {
    return Long.toString(limits.memoryMb() << 20);
  }

  private static String quota(Limits limits) {
    return Long.toString(limits.cpuPercent() * PERIOD_US / 100);
  }

  /// Where the process's own group cannot be seen, as in some containers, the root of what can.
  private static Path parent(Path root, String path) {
    var own = below(root, path);
    return Files.isDirectory(own) ? own : root;
  }

  private static Path below(Path root, String path) {
    return root.resolve(path.substring(1)).normalize();
  }

  /// Where this process is, by controller; the unified hierarchy's name is empty.
  private static Map<String, String> own() {
    var own = new HashMap<String, String>();
    try (var lines = Files.lines(Path.of("/proc/self/cgroup"), StandardCharsets.UTF_8)) {
      lines
          .map(line -> line.split(":", 3))
          .filter(parts -> parts.length == 3 && parts[2].startsWith("/"))
          .forEach(
              parts -> {
                for (var controller : parts[1].split(",", -1)) {
                  own.put(controller, parts[2]);
                }
              });
    } catch (IOException e) {
      // Without it there is none to make.
    }
    return own;
  }

  /// Which limits it holds, and as what.
  public Map<String, String> holds() {
    return holds;
  }

  public List<Path> folders() {
    return made.stream().map(Cgroup::folder).toList();
  }

  /// Where the kernel counts what it killed for want of memory.
  public Optional<Path> memoryCounter() {
    return file(cgroup -> cgroup.version() == 1 ? "memory.oom_control" : "memory.events");
  }

  /// Where the kernel counts the processes that could not be made.
  public Optional<Path> processCounter() {
    return file(_ -> "pids.events");
  }

  private Optional<Path> file(Function<Cgroup, String> name) {
    return made.stream()
        .map(cgroup -> cgroup.folder().resolve(name.apply(cgroup)))
        .filter(Files::isReadable)
        .findFirst();
  }

  public long memoryKills() {
    return made.stream().mapToLong(Cgroup::memoryKills).sum();
  }

  public void remove() {
    made.forEach(Cgroup::remove);
  }

  /// Writes down what was made, for a later process.
  void save(Path file) throws IOException {
    var lines = new ArrayList<String>();
    made.forEach(cgroup -> lines.add("cgroup\t" + cgroup.version() + "\t" + cgroup.folder()));
    holds.forEach((limit, by) -> lines.add("holds\t" + limit + "\t" + by));
    Files.write(file, lines);
  }

  /// Those of a sandbox whose notes are lost, where this process would have made them.
  static Cgroups named(String id) {
    var made = new ArrayList<Cgroup>();
    own()
        .forEach(
            (controller, path) -> {
              var root = controller.isEmpty() ? ROOT : ROOT.resolve(controller);
              var folder = parent(root, path).resolve("husk-" + id);
              if (Files.isDirectory(folder)) {
                made.add(new Cgroup(folder, controller.isEmpty() ? 2 : 1));
              }
            });
    return new Cgroups(made, Map.of());
  }

  static Cgroups load(Path file) {
    var made = new ArrayList<Cgroup>();
    var holds = new HashMap<String, String>();
    try {
      for (var line : Files.readAllLines(file)) {
        var parts = line.split("\t", 3);
        if (parts.length == 3 && parts[0].equals("cgroup")) {
          made.add(new Cgroup(Path.of(parts[2]), Integer.parseInt(parts[1])));
        } else if (parts.length == 3) {
          holds.put(parts[1], parts[2]);
        }
      }
    } catch (IOException e) {
      // There were none.
    }
    return new Cgroups(made, holds);
  }
}
