package husk.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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

  public SandboxRow withStatus(Status changed) {
    return withProcess(changed, pid, startTime);
  }

  /// With another process, and what that means.
  public SandboxRow withProcess(Status changed, long process, long started) {
    return changed(
        draft -> {
          draft.status = changed;
          draft.pid = process;
          draft.startTime = started;
        });
  }

  /// The same for nobody, while another has its name.
  public SandboxRow withoutName() {
    return new SandboxRow(
        id,
        Optional.empty(),
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

  public SandboxRow withSpec(String json) {
    return changed(draft -> draft.specJson = json);
  }

  public SandboxRow usedAt(Instant moment) {
    return changed(draft -> draft.lastUsedAt = moment);
  }

  public SandboxRow expiring(long seconds, Optional<Instant> moment) {
    return changed(
        draft -> {
          draft.ttlSeconds = seconds;
          draft.expiresAt = moment;
        });
  }

  public SandboxRow described(Map<String, String> words, Optional<String> text) {
    return changed(
        draft -> {
          draft.labels = words;
          draft.description = text;
        });
  }

  private SandboxRow changed(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.row();
  }

  /// A copy in which one thing can be changed without repeating the others.
  private static final class Draft {
    private final SandboxRow from;
    private Status status;
    private long pid;
    private long startTime;
    private Instant lastUsedAt;
    private long ttlSeconds;
    private Optional<Instant> expiresAt;
    private String specJson;
    private Map<String, String> labels;
    private Optional<String> description;

    private Draft(SandboxRow from) {
      this.from = from;
      this.status = from.status;
      this.pid = from.pid;
      this.startTime = from.startTime;
      this.lastUsedAt = from.lastUsedAt;
      this.ttlSeconds = from.ttlSeconds;
      this.expiresAt = from.expiresAt;
      this.specJson = from.specJson;
      this.labels = from.labels;
      this.description = from.description;
    }

    private SandboxRow row() {
      return new SandboxRow(
          from.id,
          from.name,
          status,
          pid,
          startTime,
          from.createdAt,
          lastUsedAt,
          ttlSeconds,
          expiresAt,
          specJson,
          labels,
          description);
    }
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
