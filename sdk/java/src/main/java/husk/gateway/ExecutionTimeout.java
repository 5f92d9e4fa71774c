package husk.gateway;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Code in a kernel ran longer than it was allowed to, and was interrupted. Variables stay; what it
/// had printed and drawn is here.
public final class ExecutionTimeout extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Duration limit;
  private final transient CellResult before;

  ExecutionTimeout(Duration limit, boolean begun, CellResult before) {
    this.limit = limit;
    this.before = before;
    super(
        begun
            ? "the code ran longer than " + seconds(limit) + " s and was interrupted"
            : "the kernel did not begin the code within " + seconds(limit) + " s");
  }

  private static String seconds(Duration limit) {
    return BigDecimal.valueOf(limit.toMillis(), 3).stripTrailingZeros().toPlainString();
  }

  /// How long it was allowed to run.
  public Duration limit() {
    return limit;
  }

  /// What was put out before.
  public CellResult result() {
    return before;
  }

  /// The text put out before.
  public Optional<String> text() {
    return before.text();
  }

  /// The pictures drawn before.
  public List<Path> images() {
    return before.images();
  }
}
