package husk.model;

import java.time.Duration;
import java.util.Optional;

/// One piece of code to run and how.
///
/// @param executionId chosen by the caller, so that the result can be fetched whatever happens
/// @param code the code
/// @param language what it is written in
/// @param timeout how long the cell may run, from its start; empty for the configured one, zero for
///   no limit
/// @param outputLimit characters kept per field; empty for the configured one, zero for no limit
/// @param oneShot for shell commands: a shell of its own instead of the kernel's persistent one
/// @param silent runs without counting, history or broadcast
/// @param attempt whether it is an attempt of a retrying execution
/// @param rollback when its effects on variables and files are taken back
/// @param preview whether its effects are told, and wait for somebody to keep or discard them
public record ExecuteRequest(
    String executionId,
    String code,
    Language language,
    Optional<Duration> timeout,
    Optional<Integer> outputLimit,
    boolean oneShot,
    boolean silent,
    boolean attempt,
    Rollback rollback,
    boolean preview) {

  public ExecuteRequest {
    if (!Ids.wellFormed(executionId)) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + executionId + "` cannot be an execution's id",
          "use 32 hexadecimal digits in lower case, or leave it out");
    }
    if (timeout.filter(Duration::isNegative).isPresent()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "the timeout is " + timeout.get().toMillis() / 1000.0 + " s, but must be 0 or more",
          "0 means no limit");
    }
  }

  public static ExecuteRequest of(String code) {
    return new ExecuteRequest(
        Ids.fresh(),
        code,
        Language.PYTHON,
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        false,
        Rollback.NEVER,
        false);
  }

  public ExecuteRequest in(Language changed) {
    return new ExecuteRequest(
        executionId,
        code,
        changed,
        timeout,
        outputLimit,
        oneShot,
        silent,
        attempt,
        rollback,
        preview);
  }

  public ExecuteRequest within(Duration limit) {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        Optional.of(limit),
        outputLimit,
        oneShot,
        silent,
        attempt,
        rollback,
        preview);
  }

  public ExecuteRequest keeping(int characters) {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        timeout,
        Optional.of(characters),
        oneShot,
        silent,
        attempt,
        rollback,
        preview);
  }

  public ExecuteRequest asOneShot() {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        timeout,
        outputLimit,
        true,
        silent,
        attempt,
        rollback,
        preview);
  }

  public ExecuteRequest silently() {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        timeout,
        outputLimit,
        oneShot,
        true,
        attempt,
        rollback,
        preview);
  }

  public ExecuteRequest rollingBack(Rollback changed) {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        timeout,
        outputLimit,
        oneShot,
        silent,
        attempt,
        changed,
        preview);
  }

  /// The same, with its effects told and undecided.
  public ExecuteRequest previewing() {
    return new ExecuteRequest(
        executionId,
        code,
        language,
        timeout,
        outputLimit,
        oneShot,
        silent,
        attempt,
        rollback,
        true);
  }

  /// A new attempt with this code, under an id of its own.
  public ExecuteRequest attempting(String changed) {
    return new ExecuteRequest(
        Ids.fresh(),
        changed,
        language,
        timeout,
        outputLimit,
        oneShot,
        silent,
        true,
        rollback,
        preview);
  }
}
