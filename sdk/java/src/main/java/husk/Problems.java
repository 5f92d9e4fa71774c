package husk;

import husk.model.Hazard;
import husk.model.Problem;
import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Makes problems of what the daemon reports, and tells expected ones from others.
final class Problems {
  private Problems() {}

  private record Failure(Reported error) {}

  private record Reported(
      Problem.Code code, String message, List<String> remedies, Optional<Details> details) {}

  private record Details(List<Hazard> hazards) {}

  /// The problem that the daemon describes, as if it had occurred here.
  static Problem read(byte[] json) {
    try {
      var error = Json.read(json, Failure.class).error();
      return new Problem(error.code(), error.message(), error.remedies())
          .dueTo(error.details().map(Details::hazards).orElse(List.of()));
    } catch (Problem unreadable) {
      return new Problem(
              Problem.Code.INTERNAL,
              "the daemon failed: " + new String(json, StandardCharsets.UTF_8).strip(),
              "`husk daemon logs` shows what it printed")
          .causedBy(unreadable);
    }
  }

  /// What `question` gives, or empty if it ends in a problem of this code.
  static <T> Optional<T> absent(Problem.Code code, Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (Problem problem) {
      if (problem.code() == code) {
        return Optional.empty();
      }
      throw problem;
    }
  }
}
