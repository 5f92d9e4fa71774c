package husk.core;

import husk.kernels.Cell;
import husk.kernels.LogTail;
import husk.model.Death;
import husk.model.ErrorInfo;
import husk.model.ExecutionResult;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Puts the results of one execution together, for each way it can end.
final class Results {
  private final String executionId;
  private final boolean stateLost;
  private final Optional<String> restoredFrom;

  Results(String executionId, boolean stateLost) {
    this(executionId, stateLost, Optional.empty());
  }

  /// @param restoredFrom the checkpoint that its kernel, having died, was brought back to
  Results(String executionId, boolean stateLost, Optional<String> restoredFrom) {
    this.executionId = executionId;
    this.stateLost = stateLost;
    this.restoredFrom = restoredFrom;
  }

  String executionId() {
    return executionId;
  }

  ExecutionResult finished(Cell cell, boolean cancelled) {
    if (cell.replyStatus().equals("ok")) {
      return result(cell, ResultStatus.SUCCESS, Optional.empty(), Optional.empty());
    }
    if (cancelled || cell.replyStatus().equals("aborted")) {
      return result(
          cell,
          ResultStatus.CANCELLED,
          Optional.of(error("Cancelled", "it was cancelled")),
          Optional.empty());
    }
    return result(cell, ResultStatus.ERROR, Optional.empty(), Optional.empty());
  }

  ExecutionResult timedOut(Cell cell, Duration limit) {
    var told = "the code ran longer than " + seconds(limit) + " s and was interrupted";
    return result(
        cell,
        ResultStatus.TIMEOUT,
        Optional.of(withTraceback(error("TimeoutError", told), cell)),
        Optional.empty());
  }

  ExecutionResult cancelledBeforeStart(Cell cell) {
    return result(
        cell,
        ResultStatus.CANCELLED,
        Optional.of(error("Cancelled", "it was cancelled before it began")),
        Optional.empty());
  }

  ExecutionResult died(Cell cell, Death cause, List<String> lastWords) {
    var error = new ErrorInfo("KernelDied", cause.toThoseWhoWait(), lastWords);
    return result(cell, ResultStatus.DIED, Optional.of(error), Optional.of(cause));
  }

  /// For an execution whose end nobody saw.
  ExecutionResult interrupted(Cell cell, String why) {
    return result(
        cell, ResultStatus.CANCELLED, Optional.of(error("Interrupted", why)), Optional.empty());
  }

  static Death killed(Duration limit) {
    return new Death(
        Death.Cause.KILLED_AFTER_TIMEOUT,
        Optional.empty(),
        Optional.of(9),
        "the code ran longer than "
            + seconds(limit)
            + " s, did not heed the interrupt, and was killed");
  }

  /// The end of the kernel's log, where a crash leaves its trace.
  static List<String> lastWords(Kernels kernels, String kernelId) {
    try {
      var log = LogTail.read(kernels.log(kernelId), 4000);
      return log.isBlank() ? List.of() : log.strip().lines().toList();
    } catch (Problem destroyed) {
      return List.of();
    }
  }

  private static ErrorInfo error(String ename, String evalue) {
    return new ErrorInfo(ename, evalue, List.of());
  }

  private static ErrorInfo withTraceback(ErrorInfo error, Cell cell) {
    return cell.gathered()
        .error()
        .map(raised -> new ErrorInfo(error.ename(), error.evalue(), raised.traceback()))
        .orElse(error);
  }

  static String seconds(Duration limit) {
    return java.math.BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  private ExecutionResult result(
      Cell cell, ResultStatus status, Optional<ErrorInfo> error, Optional<Death> death) {
    var gathered = cell.gathered();
    return new ExecutionResult(
        executionId,
        status,
        gathered.stdout(),
        gathered.stderr(),
        error.or(gathered::error),
        gathered.returnValue(),
        cell.executionCount(),
        cell.durationMillis(),
        gathered.items(),
        gathered.images(),
        cell.exitCode(),
        List.of(),
        !gathered.truncatedFields().isEmpty(),
        gathered.truncatedFields(),
        stateLost,
        death,
        false,
        restoredFrom,
        Optional.empty());
  }
}
