package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.KernelOptions;
import husk.testkit.LeakDetector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels without walls.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PreviewTest extends PreviewContract {
  @Override
  KernelOptions options() {
    return host.options();
  }

  @Test
  void filesAndHostsOutsideOfSandboxesAreNotSeen() {
    make("a");
    var effects = effects("a", "x = 1");
    assertThat(effects.files()).isEmpty();
    assertThat(effects.hosts()).isEmpty();
    assertThat(effects.partial()).isFalse();
  }
}
