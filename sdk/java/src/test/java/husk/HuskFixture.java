package husk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import husk.model.KernelRecord;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import husk.testkit.TestPython;
import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/// A Husk on a home of its own, with real kernels. One kernel stays for the whole class, so that
/// the process all others are forked from stays too, and tests are quick.
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(LeakDetector.class)
abstract class HuskFixture {
  static final String ANCHOR = "anchor";

  TempHome home;
  HuskOptions options;
  Husk husk;

  /// Opens the kind of Husk under test.
  abstract Husk open(HuskOptions chosen);

  /// Ends what outlives a Husk of this kind, kernels included.
  abstract void end(HuskOptions chosen);

  /// Where Husk is installed, for this kind of it.
  abstract Path dist();

  @BeforeAll
  void openHusk() throws IOException {
    home = TempHome.create();
    options = in(home);
    husk = open(options);
    husk.getOrCreate(ANCHOR);
  }

  HuskOptions in(TempHome chosen) {
    return HuskOptions.ofThisProcess()
        .with("HUSK_HOME", chosen.path().toString())
        .with("HUSK_RUNTIME_DIR", chosen.resolve("run").toString())
        .with("HUSK_PYTHON", TestPython.find().toString())
        .with("HUSK_BACKEND", "host")
        .with("HUSK_DIST", dist().toString())
        .with(LeakDetector.VARIABLE, LeakDetector.marker())
        .inDirectory(chosen.path());
  }

  @AfterEach
  void destroyKernels() {
    husk.list().stream()
        .filter(kernel -> !kernel.answersTo(ANCHOR))
        .map(KernelRecord::kernelId)
        .forEach(husk::destroy);
  }

  @AfterAll
  void closeHusk() throws IOException {
    husk.wipe();
    husk.close();
    end(options);
    home.close();
  }

  static void assertProblem(Problem.Code code, ThrowingCallable call) {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(call)
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(code));
  }
}
