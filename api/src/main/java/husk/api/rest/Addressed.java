package husk.api.rest;

import husk.api.Answers;
import husk.core.Service;
import husk.model.KernelRecord;
import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;

/// The kernel that a path speaks of, as a kernel or as a session.
final class Addressed {
  private final Service core;

  Addressed(Service core) {
    this.core = core;
  }

  /// There must be one; a request about nobody is refused before its body is read.
  KernelRecord kernel(ServerRequest request) {
    var name = Answers.name(request);
    return request.path().path().startsWith("/sessions/")
        ? core.find(name).orElseThrow(() -> unknownSession(name))
        : core.require(name);
  }

  static Problem unknownSession(String name) {
    return new Problem(
        Problem.Code.SESSION_NOT_FOUND,
        "Unknown session: " + name,
        "`GET /sessions` lists those there are",
        "`POST` to its name makes it");
  }
}
