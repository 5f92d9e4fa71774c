package husk.api.sandboxes;

import husk.api.Callers;
import husk.api.ClientBody;
import husk.api.form.Limits;
import husk.core.Caller;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import io.helidon.webserver.http.ServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The bodies of requests about sandboxes, read; [SandboxForms] says what may stand in them.
final class SandboxBodies {
  private SandboxBodies() {}

  record CreateBody(
      Optional<String> name,
      Optional<String> backend,
      Optional<String> profile,
      Optional<Boolean> network,
      List<String> allow,
      List<String> deny,
      Optional<String> dir,
      List<String> mounts,
      Map<String, String> env,
      Map<String, Long> limits,
      Optional<Long> memoryMb,
      Optional<Double> vcpus,
      List<String> ports,
      Map<String, String> labels,
      Optional<String> description,
      long ttlSeconds,
      int temporarySeconds,
      Optional<Boolean> started,
      Optional<String> config,
      Optional<String> program,
      Optional<ClientBody> client) {

    SandboxRequest request() {
      return new SandboxRequest(
          name,
          backend,
          profile,
          network,
          allow,
          deny,
          dir,
          mounts,
          List.of(),
          List.of(),
          env,
          Limits.of(limits, memoryMb, vcpus),
          ports,
          labels,
          description,
          Optional.empty(),
          ttlSeconds,
          temporarySeconds,
          started.orElse(true));
    }

    /// For whom it is made: the body may say it, or else whoever serves.
    Caller caller(ServerRequest request) {
      return client
          .map(ClientBody::caller)
          .or(() -> Callers.preset(request))
          .orElse(Caller.UNKNOWN);
    }
  }

  record DescribeBody(Optional<Map<String, String>> labels, Optional<String> description) {}

  record ExtendBody(Optional<Long> seconds, Optional<String> by) {
    /// An hour, unless it is said.
    Duration length() {
      if (seconds.isPresent() && by.isPresent()) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST, "both `seconds` and `by` are given", "send one of them");
      }
      return seconds.map(Duration::ofSeconds).orElseGet(() -> Spans.parse(by.orElse("1h")));
    }
  }

  record EgressBody(
      List<String> allow, List<String> deny, List<String> forget, Optional<Boolean> open) {}

  record CollectBody(Map<String, String> labels, boolean dryRun) {}

  record CleanBody(boolean force, boolean all) {}
}
