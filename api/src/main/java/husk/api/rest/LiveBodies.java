package husk.api.rest;

import husk.api.ClientBody;
import husk.model.BestOfRequest;
import husk.model.ForkRequest;
import husk.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The bodies of requests about live state, read; [LiveForms] says what may stand in them.
final class LiveBodies {
  private LiveBodies() {}

  record ForkBody(
      Optional<String> as,
      Optional<Integer> count,
      Optional<List<String>> names,
      boolean proceed,
      Optional<ClientBody> client) {
    ForkRequest request() {
      if (names.isPresent() && (as.isPresent() || count.isPresent())) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "`names` says how the copies are called, and so does `as` or `count`",
            "send `names`, or `as` and `count`");
      }
      return names
          .map(given -> ForkRequest.named(given.toArray(String[]::new)))
          .orElseGet(this::counted)
          .proceeding(proceed);
    }

    private ForkRequest counted() {
      int wanted = count.orElse(1);
      return as.map(name -> ForkRequest.numbered(name, wanted))
          .orElseGet(() -> ForkRequest.unnamed(wanted));
    }
  }

  record PromoteBody(String fork, Optional<ClientBody> client) {}

  record CheckpointBody(Optional<String> label, boolean proceed, Optional<ClientBody> client) {}

  record RollbackBody(Optional<String> to, Optional<ClientBody> client) {}

  record DecisionBody(Optional<ClientBody> client) {}

  record BestOfBody(
      List<String> codes,
      List<Long> seeds,
      Optional<String> score,
      Optional<Duration> deadline,
      Optional<Boolean> promote,
      boolean proceed,
      Optional<ClientBody> client) {
    BestOfRequest request() {
      return new BestOfRequest(codes, seeds, score, deadline, promote.orElse(true), proceed);
    }
  }
}
