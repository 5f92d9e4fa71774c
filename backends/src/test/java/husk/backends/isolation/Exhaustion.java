package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.Limits;
import husk.spi.Profile;
import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import husk.testkit.Requirements;
import java.io.IOException;
import java.time.Duration;

/// Sandboxes with limits, and what is asked of them once somebody has gone to a limit.
abstract class Exhaustion extends Battlefield {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  Sandbox limited(Limits limits) throws IOException {
    return walls.start(SandboxSpec.of("bubblewrap", Profile.MODERATE).withLimits(limits));
  }

  static void needCgroup(Sandbox sandbox, String limit) {
    var by = sandbox.enforcement().by().get(limit);
    Requirements.need(by != null && by.startsWith("cgroup"), "a cgroup for " + limit);
  }

  static void assertUsable(Sandbox sandbox) throws IOException {
    assertThat(Ran.in(sandbox, "echo", "usable").said()).isEqualTo("usable");
  }

  static long processes(Sandbox sandbox) {
    try {
      return sandbox.usage().processes();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
