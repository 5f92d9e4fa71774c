package husk.core;

import husk.kernels.Interpreter;
import husk.kernels.WarmParents;
import husk.testkit.StandingProcess;
import husk.testkit.TestPython;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The warm parent that kernels of most tests are forked from: importing IPython takes longer than
/// most tests.
public final class StandingParent extends StandingProcess {
  @Override
  protected AutoCloseable start(Path folder) {
    var root = Path.of(System.getProperty("husk.root", ".."));
    var guest = root.resolve("guest/python").toAbsolutePath().normalize();
    var parents = new WarmParents(folder, guest, Duration.ZERO, (_, _) -> {});
    parents.of(new Interpreter(TestPython.find(), List.of()));
    return parents;
  }
}
