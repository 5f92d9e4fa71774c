package husk.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What tests of this JVM have on the machine at one moment.
///
/// @param traces processes, files, sockets and cgroups: what tells each from all others, and in
///   what words a report speaks of it
record Traces(Map<String, String> traces) {
  private static final Path TMP = Path.of("/tmp");

  Traces {
    traces = Map.copyOf(traces);
  }

  static Traces now() {
    var found = new HashMap<String, String>();
    for (var process : Processes.ofTests()) {
      found.put(process.identity(), "process %d: %s".formatted(process.pid(), process.command()));
    }
    files().forEach(file -> found.put("file " + file, "file " + file));
    sockets().forEach(socket -> found.put("socket " + socket, "socket " + socket));
    OwnCgroups.ofThisProcess()
        .abandoned()
        .forEach(group -> found.put("cgroup " + group, "cgroup " + group));
    return new Traces(found);
  }

  /// What is here now and was not there before.
  List<String> since(Traces before) {
    return traces.entrySet().stream()
        .filter(trace -> !before.traces.containsKey(trace.getKey()))
        .map(Map.Entry::getValue)
        .sorted()
        .toList();
  }

  /// Other JVMs test on this machine too: their homes are not ours.
  private static List<Path> files() {
    try (var entries = Files.list(TMP)) {
      return entries
          .filter(entry -> entry.getFileName().toString().startsWith("husk"))
          .filter(entry -> TempHome.isOurs(entry) || !TempHome.isOfTests(entry))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> sockets() {
    try (Stream<String> lines =
        Files.lines(Path.of("/proc/net/unix"), StandardCharsets.ISO_8859_1)) {
      return lines
          .map(line -> line.substring(line.lastIndexOf(' ') + 1))
          .filter(path -> path.contains(TempHome.PREFIX))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
