package husk.model;

import java.util.List;

/// The one exception that crosses Husk's boundaries: a stable code, what failed on which value and
/// why, and what to do next.
///
/// It knows nothing of HTTP statuses or exit codes; each face maps [Code] in one exhaustive switch.
public final class Problem extends RuntimeException {

  /// Who has to act for the problem to go away.
  public enum Blame {
    CALLER,
    SERVER,
    DEPENDENCY,
    CAPACITY
  }

  /// Stable names; spelled in lower case in JSON.
  public enum Code {
    USAGE(Blame.CALLER),
    INVALID_REQUEST(Blame.CALLER),
    INVALID_NAME(Blame.CALLER),
    INVALID_SETTING(Blame.CALLER),
    KERNEL_NOT_FOUND(Blame.CALLER),
    KERNEL_ALREADY_EXISTS(Blame.CALLER),
    KERNELSPEC_NOT_FOUND(Blame.CALLER),
    EXECUTION_NOT_FOUND(Blame.CALLER),
    SANDBOX_NOT_FOUND(Blame.CALLER),
    SANDBOX_ALREADY_EXISTS(Blame.CALLER),
    SANDBOX_NOT_RUNNING(Blame.CALLER),
    NOT_FOUND_INSIDE(Blame.CALLER),
    NOT_EXECUTABLE(Blame.CALLER),
    PROCESS_LIMIT(Blame.CALLER),
    DISK_LIMIT(Blame.CALLER),
    ENVIRONMENT_NOT_FOUND(Blame.CALLER),
    SESSION_NOT_FOUND(Blame.CALLER),
    LISTENER_NOT_FOUND(Blame.CALLER),
    UNAUTHENTICATED(Blame.CALLER),
    FORBIDDEN(Blame.CALLER),
    NOT_OPEN_OVER_TCP(Blame.CALLER),
    PROJECT_NOT_TRUSTED(Blame.CALLER),
    TOO_LARGE(Blame.CALLER),
    TOO_SLOW(Blame.CALLER),
    ENVIRONMENT_BROKEN(Blame.DEPENDENCY),
    LANGUAGE_UNSUPPORTED(Blame.CALLER),
    CAPABILITY_MISSING(Blame.CALLER),
    CHECKPOINT_NOT_FOUND(Blame.CALLER),
    COPY_REFUSED(Blame.CALLER),
    PREVIEW_OPEN(Blame.CALLER),
    COPY_FAILED(Blame.DEPENDENCY),
    KERNEL_START_FAILED(Blame.DEPENDENCY),
    KERNEL_UNRESPONSIVE(Blame.DEPENDENCY),
    SANDBOX_FAILED(Blame.DEPENDENCY),
    ISOLATION_UNAVAILABLE(Blame.DEPENDENCY),
    DAEMON_UNAVAILABLE(Blame.DEPENDENCY),
    TOOL_MISSING(Blame.DEPENDENCY),
    STORE_FAILED(Blame.SERVER),
    CAPACITY_EXHAUSTED(Blame.CAPACITY),
    OVERLOADED(Blame.CAPACITY),
    ADDRESS_UNAVAILABLE(Blame.DEPENDENCY),
    INTERNAL(Blame.SERVER);

    private final Blame blame;

    Code(Blame blame) {
      this.blame = blame;
    }

    public Blame blame() {
      return blame;
    }

    public String wireName() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /// The code with this wire name; [#INTERNAL] when a newer peer speaks of one unknown here.
    public static Code of(String wireName) {
      for (var code : values()) {
        if (code.wireName().equals(wireName)) {
          return code;
        }
      }
      return INTERNAL;
    }
  }

  private static final long serialVersionUID = 1;

  private final Code code;
  private final List<String> remedies;
  private List<Hazard> hazards = List.of();

  public Problem(Code code, String message, List<String> remedies) {
    this.code = code;
    this.remedies = List.copyOf(remedies);
    super(message);
  }

  public Problem(Code code, String message, String... remedies) {
    this(code, message, List.of(remedies));
  }

  /// The same problem, remembering what brought it about.
  public Problem causedBy(Throwable cause) {
    initCause(cause);
    return this;
  }

  /// The same problem, with what stands in the way as data.
  public Problem dueTo(List<Hazard> found) {
    hazards = List.copyOf(found);
    return this;
  }

  public Code code() {
    return code;
  }

  /// What a copy of a kernel would not have, if that is why it was refused.
  public List<Hazard> hazards() {
    return hazards;
  }

  public List<String> remedies() {
    return remedies;
  }

  /// The message; never null, unlike that of exceptions in general.
  public String text() {
    var message = getMessage();
    return message == null ? code.wireName() : message;
  }
}
