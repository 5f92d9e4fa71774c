package husk.api.rest;

import husk.api.Texts;
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

/// A kernel as callers see it: KernelBox's nine fields first, then Husk's.
record KernelView(
    String kernelId,
    Path connectionFile,
    Optional<String> name,
    Instant createdAt,
    Instant lastUsedAt,
    KernelStatus status,
    Optional<String> sessionName,
    int attemptCount,
    Map<String, String> tags,
    double ageSeconds,
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

  /// @param forkedFrom the kernel it is a copy of
  static KernelView of(KernelRecord record, Optional<String> forkedFrom) {
    // While a kernel is being started its row names the process that starts it.
    var process = record.process().filter(_ -> record.status() != KernelStatus.STARTING);
    return new KernelView(
        record.kernelId(),
        record.connectionFile(),
        record.name(),
        record.createdAt(),
        record.lastUsedAt(),
        record.status(),
        record.sessionName(),
        record.attemptCount(),
        record.tags(),
        Duration.between(record.createdAt(), Instant.now()).toMillis() / 1000.0,
        process.map(KernelProcess::pid),
        process.map(KernelProcess::startTime),
        record.backend(),
        record.kernel(),
        record.python(),
        record.cwd(),
        record.environment(),
        record.memory(),
        record.idleTimeout(),
        record.startupError(),
        record.death(),
        forkedFrom);
  }

  List<String> row() {
    return List.of(
        name.orElse("-"),
        status.wireName(),
        pid.map(Object::toString).orElse("-"),
        kernel,
        memory.map(Texts::bytes).orElse("-"),
        Math.round(ageSeconds) + " s",
        kernelId);
  }
}
