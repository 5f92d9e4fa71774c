package husk.api.sandboxes;

import husk.api.ClientBody;
import husk.core.Caller;
import husk.sandboxes.SandboxRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The bodies of requests about sandboxes.
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
      List<String> ports,
      Map<String, String> labels,
      Optional<String> description,
      long ttlSeconds,
      int temporarySeconds,
      Optional<Boolean> started,
      Optional<String> config,
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
          env,
          limits,
          ports,
          labels,
          description,
          ttlSeconds,
          temporarySeconds,
          started.orElse(true));
    }

    Caller caller() {
      return client.map(ClientBody::caller).orElse(Caller.UNKNOWN);
    }
  }

  record DescribeBody(Optional<Map<String, String>> labels, Optional<String> description) {}

  record ExtendBody(long seconds) {}

  record EgressBody(
      List<String> allow, List<String> deny, List<String> forget, Optional<Boolean> open) {}

  record CollectBody(Map<String, String> labels, boolean dryRun) {}

  record CleanBody(boolean force) {}

  record ExecBody(
      List<String> command,
      Map<String, String> env,
      Optional<String> workdir,
      Optional<String> stdin,
      long timeoutMs) {}
}
