package husk.core;

import husk.model.KernelOptions;
import husk.testkit.LeakDetector;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels without walls.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LiveStateTest extends LiveStateContract {
  @Override
  KernelOptions options() {
    return host.options();
  }
}
