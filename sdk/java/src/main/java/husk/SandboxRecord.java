package husk;

import husk.sandboxes.SandboxInfo;
import husk.spi.PortMapping;
import husk.spi.SandboxSpec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What is known of a sandbox.
///
/// @param status `created`, `starting`, `running` or `stopped`
/// @param spec the specification in force
/// @param expiresAt when it is removed
/// @param ports as published, with the host's real numbers
/// @param limitsHeldBy what holds each limit while it runs
/// @param workspace its `/workspace` on the host
public record SandboxRecord(
    String name,
    String id,
    String status,
    SandboxSpec spec,
    Instant createdAt,
    Instant lastUsedAt,
    Optional<Instant> expiresAt,
    Map<String, String> labels,
    Optional<String> description,
    long pid,
    List<PortMapping> ports,
    Map<String, String> limitsHeldBy,
    Path workspace) {

  public SandboxRecord {
    labels = Map.copyOf(labels);
    ports = List.copyOf(ports);
    limitsHeldBy = Map.copyOf(limitsHeldBy);
  }

  public boolean running() {
    return status.equals("running");
  }

  static SandboxRecord of(SandboxInfo info) {
    return new SandboxRecord(
        info.name(),
        info.id(),
        info.status().wireName(),
        info.spec(),
        info.createdAt(),
        info.lastUsedAt(),
        info.expiresAt(),
        info.labels(),
        info.description(),
        info.pid(),
        info.ports(),
        info.limitsHeldBy(),
        info.workspace());
  }
}
