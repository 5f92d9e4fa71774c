package husk.core;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Widening;
import husk.model.Problem;
import java.util.List;
import java.util.stream.Collectors;

/// The refusal of what a project's file would open.
final class Untrusted {
  private Untrusted() {}

  static Problem problem(ProjectText source, List<Widening> wider, TrustStore trust) {
    var what = wider.stream().map(Widening::toString).collect(Collectors.joining("; "));
    var why =
        trust.find(source.location()).isPresent()
            ? "it has changed since you trusted it"
            : "you have not trusted it";
    return new Problem(
        Problem.Code.PROJECT_NOT_TRUSTED,
        "`%s` goes beyond what you set, and %s: %s".formatted(source.location(), why, what),
        "`husk trust " + source.location() + "` shows what it opens, and allows it",
        "or take that out of the file: what only narrows needs no trust");
  }
}
