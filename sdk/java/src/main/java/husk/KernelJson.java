package husk;

import husk.model.Death;
import husk.model.KernelProcess;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A kernel as the daemon describes it.
record KernelJson(
    String kernelId,
    Path connectionFile,
    Optional<String> name,
    Instant createdAt,
    Instant lastUsedAt,
    KernelStatus status,
    Optional<String> sessionName,
    int attemptCount,
    Map<String, String> tags,
    Optional<Long> pid,
    Optional<Long> startTime,
    String backend,
    String kernel,
    Optional<String> python,
    Path cwd,
    List<String> environment,
    Optional<Long> memory,
    Duration idleTimeout,
    Optional<String> startupError,
    Optional<Death> death,
    Optional<String> forkedFrom) {

  /// The answer to a question about all of them.
  record All(List<KernelJson> kernels) {}

  /// The answer to a question about one.
  record Health(boolean alive, boolean responsive, KernelJson kernel) {
    KernelHealth health() {
      return new KernelHealth(kernel.record(), alive, responsive);
    }
  }

  KernelRecord record() {
    return new KernelRecord(
        kernelId,
        connectionFile,
        name,
        createdAt,
        lastUsedAt,
        status,
        sessionName,
        attemptCount,
        tags,
        pid.map(id -> new KernelProcess(id, startTime.orElse(0L))),
        backend,
        kernel,
        python,
        cwd,
        environment,
        memory,
        idleTimeout,
        startupError,
        death);
  }
}
