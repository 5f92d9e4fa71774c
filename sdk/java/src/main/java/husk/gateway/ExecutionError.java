package husk.gateway;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Code in a kernel raised an error, or its kernel died. What it had printed and drawn before is
/// here.
public final class ExecutionError extends RuntimeException {
  /// The name of the error when the kernel's process ended while the code ran.
  public static final String KERNEL_DIED = "KernelDied";

  /// The name of the error when nobody waits for the code any more.
  public static final String CANCELLED = "Cancelled";

  /// The name of the error when the connection was lost, and with it the end of the code.
  public static final String CONNECTION_LOST = "ConnectionLost";

  private static final long serialVersionUID = 1;

  private final String ename;
  private final String evalue;
  private final List<String> traceback;
  private final transient CellResult before;

  ExecutionError(String ename, String evalue, List<String> traceback, CellResult before) {
    this.ename = ename;
    this.evalue = evalue;
    this.traceback = List.copyOf(traceback);
    this.before = before;
    super(ename + ": " + evalue + (traceback.isEmpty() ? "" : "\n" + String.join("\n", traceback)));
  }

  /// The name of the error, such as `ValueError`.
  public String ename() {
    return ename;
  }

  /// What the error says.
  public String evalue() {
    return evalue;
  }

  /// Its traceback, without colour codes.
  public List<String> traceback() {
    return traceback;
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
