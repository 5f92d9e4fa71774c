package husk.api.sandboxes;

import husk.api.Answers;
import husk.core.Service;
import husk.model.Problem;
import husk.spi.Sandbox;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.util.Objects;

/// What is asked of a running sandbox itself. Its agent is another program, whose silence is a
/// problem with a name.
final class Inside {
  private Inside() {}

  /// The sandbox in a request's path; using it is noted.
  static Sandbox of(Service core, ServerRequest request) {
    return core.sandboxes().use(Answers.name(request));
  }

  /// Something that talks to the agent.
  @FunctionalInterface
  interface Question<T> {
    T ask() throws IOException;
  }

  static <T> T ask(Question<T> question) {
    try {
      return question.ask();
    } catch (IOException e) {
      throw lost(e);
    }
  }

  static Problem lost(IOException cause) {
    return new Problem(
            Problem.Code.SANDBOX_FAILED,
            "the sandbox's agent does not answer: "
                + Objects.requireNonNullElse(cause.getMessage(), "it has closed the line"),
            "`husk sandbox info NAME` says whether it still runs")
        .causedBy(cause);
  }
}
