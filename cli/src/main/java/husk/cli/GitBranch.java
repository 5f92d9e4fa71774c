package husk.cli;

import husk.model.Problem;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Names for sandboxes from the git repository the caller stands in.
final class GitBranch {
  private static final int LONGEST = 63;

  private GitBranch() {}

  /// `project-branch`, or `project-abc1234` where no branch is checked out.
  static String sandbox(Terminal terminal) {
    String branch = git(terminal, "symbolic-ref", "--short", "-q", "HEAD").orElse("");
    if (branch.isEmpty()) {
      branch = git(terminal, "rev-parse", "--short", "HEAD").orElseThrow(GitBranch::outside);
    }
    String name = clean(project(terminal) + "-" + branch);
    return clean(name.length() > LONGEST ? name.substring(0, LONGEST) : name);
  }

  /// The name of the repository's folder.
  static String project(Terminal terminal) {
    String top = git(terminal, "rev-parse", "--show-toplevel").orElseThrow(GitBranch::outside);
    return clean(top.substring(top.lastIndexOf('/') + 1));
  }

  /// Only what a name may hold: letters and digits with single dashes between them.
  static String clean(String text) {
    var name = new StringBuilder();
    String lower = text.toLowerCase(Locale.ROOT);
    for (int i = 0; i < lower.length(); i++) {
      char c = lower.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      boolean dash = !name.isEmpty() && name.charAt(name.length() - 1) == '-';
      if (plain) {
        name.append(c);
      } else if (!name.isEmpty() && !dash) {
        name.append('-');
      }
    }
    int end = name.length();
    return end > 0 && name.charAt(end - 1) == '-' ? name.substring(0, end - 1) : name.toString();
  }

  private static Problem outside() {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "`--branch` names the sandbox after a git branch, and this folder is in no repository with"
            + " a commit",
        "call it in a git repository, or give a name instead");
  }

  private static Optional<String> git(Terminal terminal, String... words) {
    var command = new ArrayList<>(List.of("git", "-C", terminal.cwd()));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    try {
      var process = builder.start();
      var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? Optional.of(out.strip()) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (IOException e) {
      throw new Problem(Problem.Code.TOOL_MISSING, "`git` cannot be run: " + e.getMessage())
          .causedBy(e);
    }
  }
}
