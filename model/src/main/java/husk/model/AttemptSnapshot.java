package husk.model;

import java.util.Optional;

/// One attempt of a retrying execution, counted from 1.
public record AttemptSnapshot(
    int attempt,
    String code,
    ResultStatus status,
    String output,
    String stderr,
    Optional<ErrorInfo> error) {}
