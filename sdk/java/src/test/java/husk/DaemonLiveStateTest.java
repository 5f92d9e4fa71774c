package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Live state through the daemon.
class DaemonLiveStateTest extends LiveStateContract {
  @Override
  Husk open(HuskOptions chosen) {
    return Husk.open(chosen);
  }

  @Override
  void end(HuskOptions chosen) {
    new TestDaemon(chosen).stop();
  }

  @Override
  Path dist() {
    return TestDaemon.dist();
  }

  @Test
  void checkpointsAndLineageOutliveTheDaemon() throws IOException {
    try (var other = TempHome.create()) {
      try (var own = open(in(other))) {
        checkpointsAndLineageOutlive(own, new TestDaemon(in(other)));
      } finally {
        end(in(other));
      }
    }
  }

  private static void checkpointsAndLineageOutlive(Husk own, TestDaemon daemon) {
    var kernel = own.getOrCreate("demo");
    own.execute(kernel, "x = 1");
    var fork = own.fork(kernel, "other");
    var kept = own.checkpoint(kernel, "kept");
    own.execute(kernel, "x = 2");

    daemon.kill();

    assertThat(own.checkpoints(kernel)).containsExactly(kept);
    assertThat(own.forkedFrom(fork)).contains(kernel.kernelId());
    own.rollback(kernel, kept);
    assertThat(own.execute(kernel, "x").returnValue()).contains("1");
  }
}
