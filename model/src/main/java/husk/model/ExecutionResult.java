package husk.model;

import java.util.List;
import java.util.Optional;

/// What one execution gave.
///
/// @param executionId names it, also after the daemon that ran it is gone
/// @param status how it ended
/// @param output what it wrote to standard output
/// @param stderr what it wrote to standard error
/// @param error what it raised, if it failed
/// @param returnValue the text of the last expression's value
/// @param executionCount the kernel's counter
/// @param durationMs from the start of the cell to its end
/// @param outputs every output in order
/// @param images the pictures among them
/// @param exitCode the exit code of a shell command
/// @param attempts the attempts of a retrying execution
/// @param truncated whether anything was cut
/// @param truncatedFields which fields were cut
/// @param stateLost whether the kernel had to be started afresh, so that earlier variables are gone
/// @param death why the kernel's process ended, if it did
/// @param rolledBack whether kernel and files are as they were before it
/// @param restoredFrom the checkpoint that the kernel was brought back to before it, having died
/// @param effects what it did, if it was a preview
public record ExecutionResult(
    String executionId,
    ResultStatus status,
    String output,
    String stderr,
    Optional<ErrorInfo> error,
    Optional<String> returnValue,
    Optional<Integer> executionCount,
    long durationMs,
    List<OutputItem> outputs,
    List<Image> images,
    Optional<Integer> exitCode,
    List<AttemptSnapshot> attempts,
    boolean truncated,
    List<String> truncatedFields,
    boolean stateLost,
    Optional<Death> death,
    boolean rolledBack,
    Optional<String> restoredFrom,
    Optional<Effects> effects) {

  public ExecutionResult {
    outputs = List.copyOf(outputs);
    images = List.copyOf(images);
    attempts = List.copyOf(attempts);
    truncatedFields = List.copyOf(truncatedFields);
  }

  /// Whether it succeeded.
  public boolean ok() {
    return status == ResultStatus.SUCCESS;
  }

  /// Everything it put out as one text, in the order it came: both streams, the plain text of what
  /// was displayed and of the last value, and at the end the traceback. Where something was cut it
  /// says so.
  public String text() {
    return text(0);
  }

  /// The same within `most` characters, 0 for any number; of a long one the beginning and the end
  /// of the error are kept.
  public String text(int most) {
    return ResultText.of(this, most);
  }

  /// The data frames that were displayed, as data.
  public List<DataFrame> dataFrames() {
    return outputs.stream().flatMap(item -> DataFrame.in(item).stream()).toList();
  }

  /// The charts that were drawn, as data.
  public List<Chart> charts() {
    return outputs.stream().flatMap(item -> Chart.in(item).stream()).toList();
  }

  /// The same result as the outcome of several attempts.
  public ExecutionResult withAttempts(ResultStatus changed, List<AttemptSnapshot> made) {
    return with(executionId, changed, made, rolledBack, effects);
  }

  /// The same result under another execution's id.
  public ExecutionResult named(String changed) {
    return with(changed, status, attempts, rolledBack, effects);
  }

  /// The same after its effects were taken back.
  public ExecutionResult takenBack() {
    return with(executionId, status, attempts, true, effects.map(Effects::decided));
  }

  /// The same with what it did.
  public ExecutionResult with(Effects seen) {
    return with(executionId, status, attempts, rolledBack, Optional.of(seen));
  }

  private ExecutionResult with(
      String changedId,
      ResultStatus changedStatus,
      List<AttemptSnapshot> changedAttempts,
      boolean changedRolledBack,
      Optional<Effects> changedEffects) {
    return new ExecutionResult(
        changedId,
        changedStatus,
        output,
        stderr,
        error,
        returnValue,
        executionCount,
        durationMs,
        outputs,
        images,
        exitCode,
        changedAttempts,
        truncated,
        truncatedFields,
        stateLost,
        death,
        changedRolledBack,
        restoredFrom,
        changedEffects);
  }

  public AttemptSnapshot asAttempt(int attempt, String code) {
    return new AttemptSnapshot(attempt, code, status, output, stderr, error);
  }
}
