package husk.backends.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.spi.Commands;
import husk.spi.Egress;
import husk.spi.Limits;
import husk.spi.Mount;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What `host` lacks it declares, and refuses by name.
final class HostRefusalsTest {
  private static final SandboxSpec PLAIN = SandboxSpec.of("host", Profile.PERMISSIVE);

  private final Host host = new Host();

  private void assertRefused(SandboxSpec spec, String named) {
    assertThatThrownBy(() -> host.check(spec))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.CAPABILITY_MISSING))
        .hasMessageContaining(named);
  }

  @Test
  void wallsOfAnyKindAreRefused() {
    assertThat(host.capabilities().isolates()).isFalse();
    assertRefused(SandboxSpec.of("host", Profile.MODERATE), "moderate");
    assertRefused(SandboxSpec.of("host", Profile.RESTRICTIVE), "restrictive");
  }

  @Test
  void rulesForTheNetworkAreRefused() {
    assertThat(host.capabilities().network()).isFalse();
    assertRefused(PLAIN.withoutNetwork(), "network");
    assertRefused(PLAIN.withEgress(new Egress(true, List.of(), List.of("example.org"))), "network");
  }

  @Test
  void mountsAreRefused() {
    assertThat(host.capabilities().mounts()).isFalse();
    assertRefused(
        PLAIN.withMounts(List.of(new Mount(Path.of("/usr"), Path.of("/x"), false))), "mounts");
  }

  @Test
  void limitsAreRefused() {
    assertThat(host.capabilities().limits()).isFalse();
    assertRefused(PLAIN.withLimits(Limits.NONE.withMemoryMb(64)), "limits");
  }

  @Test
  void rulesForCommandsAreRefused() {
    var rules = new Commands(false, List.of(), List.of("curl"));
    assertRefused(PLAIN.withCommands(Optional.of(rules)), "commands");
  }

  @Test
  void whatAsksForNothingIsTaken() {
    host.check(PLAIN);
  }
}
