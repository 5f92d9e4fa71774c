package husk.backends.bubblewrap;

import husk.backends.agents.Launched;
import husk.backends.agents.Waiting;
import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// The namespaces around a sandbox, which it shares with those that its kernels are copied into.
///
/// A process may only move into process namespaces below its own, and only where it has rights. So
/// what copies a kernel must stand above both sandboxes and yet be shut in. All sandboxes of a
/// family run as one user of the host.
///
/// @param options of the agent's launcher
/// @param identity as whom its processes run, where they do not run as whoever we are
record Family(List<String> options, OptionalLong identity) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Pattern OWNER = Pattern.compile("(?m)^Uid:\\s+(\\d+)");

  Family {
    options = List.copyOf(options);
  }

  static Family founding(SandboxPlace place) {
    return new Family(List.of("--family", "new"), Identity.of(place.id()));
  }

  /// One that there is, by its first process.
  static Family of(long first) {
    return new Family(
        List.of("--family", Long.toString(first)),
        Identity.isRoot() ? owner(first) : OptionalLong.empty());
  }

  private static OptionalLong owner(long pid) {
    try {
      var found = OWNER.matcher(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
      return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /// The launcher may be a moment behind the agent, which answers already.
  static Launched said(SandboxPlace place) {
    Waiting.until(PATIENCE, () -> known(place) > 0);
    return Launched.of(place);
  }

  /// The family of a sandbox that runs; 0 if it is not known.
  static long known(SandboxPlace place) {
    return Launched.of(place).family();
  }
}
