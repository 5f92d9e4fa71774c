package husk.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// One sandbox as the registry keeps it.
///
/// @param id 32 hexadecimal digits
/// @param name by which users know it; empty while it waits in the pool
/// @param status what it is doing
/// @param pid its first process, or while it starts the process that starts it; 0 when there is
///   none
/// @param startTime when that process started
/// @param specJson what it is
/// @param ttlSeconds how long it may live; 0 for ever
/// @param expiresAt when it is removed
public record SandboxRow(
    String id,
    Optional<String> name,
    Status status,
    long pid,
    long startTime,
    Instant createdAt,
    Instant lastUsedAt,
    long ttlSeconds,
    Optional<Instant> expiresAt,
    String specJson,
    Map<String, String> labels,
    Optional<String> description) {

  public SandboxRow {
    labels = Map.copyOf(labels);
  }

  /// What a sandbox is doing.
  public enum Status {
    /// Made, but never started.
    CREATED,
    STARTING,
    /// Started for nobody yet.
    READY,
    RUNNING,
    STOPPED;

    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    static Status of(String wireName) {
      return valueOf(wireName.toUpperCase(java.util.Locale.ROOT));
    }
  }

  public SandboxRow withStatus(Status status) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        lastUsedAt,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  /// With another process, and what that means.
  public SandboxRow withProcess(Status status, long pid, long startTime) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        lastUsedAt,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  public SandboxRow withSpec(String specJson) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        lastUsedAt,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  public SandboxRow usedAt(Instant moment) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        moment,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  public SandboxRow expiring(long ttlSeconds, Optional<Instant> expiresAt) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        lastUsedAt,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  public SandboxRow described(Map<String, String> labels, Optional<String> description) {
    return new SandboxRow(
        id,
        name,
        status,
        pid,
        startTime,
        createdAt,
        lastUsedAt,
        ttlSeconds,
        expiresAt,
        specJson,
        labels,
        description);
  }

  /// Given to somebody: the same sandbox, under a name and as another row wants it.
  public SandboxRow takenAs(SandboxRow wanted) {
    return new SandboxRow(
        id,
        wanted.name,
        Status.RUNNING,
        pid,
        startTime,
        wanted.createdAt,
        wanted.lastUsedAt,
        wanted.ttlSeconds,
        wanted.expiresAt,
        wanted.specJson,
        wanted.labels,
        wanted.description);
  }
}
