package husk;

import husk.model.ExecuteRequest;
import husk.model.Ids;
import husk.model.Names;
import husk.model.Problem;
import java.time.Duration;

/// Refuses requests that cannot be served, before anything is begun.
final class Requests {
  private Requests() {}

  static void check(Target target, ExecuteRequest request) {
    if (target.create()) {
      Names.require(target.identifier());
    }
    if (!Ids.wellFormed(request.executionId())) {
      throw refused(
          "`" + request.executionId() + "` cannot be an execution's id",
          "use 32 hexadecimal digits in lower case, as Ids.fresh() gives them");
    }
    if (request.timeout().filter(Duration::isNegative).isPresent()) {
      throw refused("the timeout is less than 0", "0 means no limit");
    }
    if (request.silent()) {
      throw refused(
          "an execution cannot be silent: its result could not be fetched again",
          "leave `silently()` out");
    }
  }

  private static Problem refused(String message, String remedy) {
    return new Problem(Problem.Code.INVALID_REQUEST, message, remedy);
  }
}
