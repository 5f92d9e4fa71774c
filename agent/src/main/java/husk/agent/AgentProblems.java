package husk.agent;

import husk.model.Problem;

/// Turns what the agent refuses into problems of this side, in words that are bounded and
/// printable.
final class AgentProblems {
  private static final int LONGEST = 500;

  private AgentProblems() {}

  static Problem of(Fields fields) {
    var message = printable(fields.text("message"));
    return switch (fields.text("code")) {
      case "not_found" -> new Problem(Problem.Code.NOT_FOUND_INSIDE, message);
      case "not_executable" -> new Problem(Problem.Code.NOT_EXECUTABLE, message);
      case "bad_directory" ->
          new Problem(Problem.Code.INVALID_REQUEST, message, "name a folder that exists inside");
      case "bad_path", "protocol", "exists", "not_directory", "is_directory", "not_empty" ->
          new Problem(Problem.Code.INVALID_REQUEST, message);
      case "process_limit" ->
          new Problem(
              Problem.Code.PROCESS_LIMIT,
              "the sandbox has as many processes as it may: " + message,
              "`husk sandbox stop NAME` ends them all; `--processes` allows more");
      case "disk_full", "file_too_large" ->
          new Problem(
              Problem.Code.DISK_LIMIT,
              message,
              "remove files, or make the sandbox with a larger `--disk` or `--file-size`");
      case "denied", "read_only" -> new Problem(Problem.Code.FORBIDDEN, message);
      case "refused" -> new Problem(Problem.Code.ADDRESS_UNAVAILABLE, message);
      default -> new Problem(Problem.Code.SANDBOX_FAILED, message);
    };
  }

  /// The sandbox may say anything; a terminal is to be spared its control characters.
  static String printable(String text) {
    var clean = new StringBuilder();
    text.codePoints()
        .limit(LONGEST)
        .forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return clean.isEmpty() ? "the sandbox's agent gave no reason" : clean.toString();
  }
}
