package husk.store;

import husk.model.Death;
import husk.model.Ids;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Records for tests.
final class Kernels {
  private Kernels() {}

  static KernelRecord named(String name) {
    return of(Ids.fresh(), Optional.of(name), Optional.empty());
  }

  static KernelRecord named(String name, String sessionName) {
    return of(Ids.fresh(), Optional.of(name), Optional.of(sessionName));
  }

  static KernelRecord of(String id, Optional<String> name, Optional<String> sessionName) {
    return new KernelRecord(
        id,
        Path.of("/run/husk/" + id + ".json"),
        name,
        Instant.parse("2026-01-02T03:04:05.123456789Z"),
        Instant.parse("2026-01-02T03:04:06Z"),
        KernelStatus.STARTING,
        sessionName,
        0,
        Map.of(),
        Optional.empty(),
        "host",
        "husk",
        Optional.empty(),
        Path.of("/home/me/project"),
        List.of(),
        Optional.empty(),
        Duration.ZERO,
        Optional.empty(),
        Optional.empty());
  }

  /// One with something, and something awkward, in every field.
  static KernelRecord full(String name) {
    return new KernelRecord(
        Ids.fresh(),
        Path.of("/run/a folder/it's/ключ.json"),
        Optional.of(name),
        Instant.parse("2026-01-02T03:04:05.000000001Z"),
        Instant.parse("1969-12-31T23:59:59.999999999Z"),
        KernelStatus.DEAD,
        Optional.of(name + "/session"),
        7,
        Map.of("team", "red & blue=purple", "", "", "emoji 🐚", "50% + \"quotes\"\n"),
        Optional.of(new KernelProcess(4_194_304, Long.MAX_VALUE)),
        "bubblewrap",
        "ir",
        Optional.of("/usr/bin/python3"),
        Path.of("/home/me/project"),
        List.of("PATH", "ODD&NAME=", "ÄÖ"),
        Optional.of(5_000_000_000L),
        Duration.ofMillis(90_061_001),
        Optional.of("NameError: name 'x' is not defined"),
        Optional.of(
            new Death(Death.Cause.SIGNALLED, Optional.of(137), Optional.of(9), "it was killed")));
  }

  static KernelRecord createdAt(KernelRecord kernel, Instant createdAt) {
    return new KernelRecord(
        kernel.kernelId(),
        kernel.connectionFile(),
        kernel.name(),
        createdAt,
        kernel.lastUsedAt(),
        kernel.status(),
        kernel.sessionName(),
        kernel.attemptCount(),
        kernel.tags(),
        kernel.process(),
        kernel.backend(),
        kernel.kernel(),
        kernel.python(),
        kernel.cwd(),
        kernel.environment(),
        kernel.memory(),
        kernel.idleTimeout(),
        kernel.startupError(),
        kernel.death());
  }

  static KernelRecord renamed(KernelRecord kernel, String name) {
    var plain = of(kernel.kernelId(), Optional.of(name), kernel.sessionName());
    return createdAt(plain, kernel.createdAt());
  }

  /// Counts one attempt, and says so in a tag.
  static KernelRecord counted(KernelRecord kernel) {
    int count = kernel.attemptCount() + 1;
    return new KernelRecord(
        kernel.kernelId(),
        kernel.connectionFile(),
        kernel.name(),
        kernel.createdAt(),
        kernel.lastUsedAt(),
        kernel.status(),
        kernel.sessionName(),
        count,
        Map.of("count", Integer.toString(count)),
        kernel.process(),
        kernel.backend(),
        kernel.kernel(),
        kernel.python(),
        kernel.cwd(),
        kernel.environment(),
        kernel.memory(),
        kernel.idleTimeout(),
        kernel.startupError(),
        kernel.death());
  }
}
