package husk.sandboxes;

import husk.spi.PortMapping;
import husk.spi.SandboxSpec;
import husk.store.SandboxRow;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A sandbox as users see it, with the specification in force.
///
/// @param limitsHeldBy what holds each limit while it runs
/// @param ports as published: with the host's real numbers
/// @param agentSocket where its agent listens, for callers on this machine
public record SandboxInfo(
    String name,
    String id,
    SandboxRow.Status status,
    SandboxSpec spec,
    Instant createdAt,
    Instant lastUsedAt,
    long ttlSeconds,
    Optional<Instant> expiresAt,
    Map<String, String> labels,
    Optional<String> description,
    long pid,
    Map<String, String> limitsHeldBy,
    List<PortMapping> ports,
    Optional<Path> agentSocket,
    Path workspace) {

  public SandboxInfo {
    labels = Map.copyOf(labels);
    limitsHeldBy = Map.copyOf(limitsHeldBy);
    ports = List.copyOf(ports);
  }

  public boolean running() {
    return status == SandboxRow.Status.RUNNING;
  }
}
