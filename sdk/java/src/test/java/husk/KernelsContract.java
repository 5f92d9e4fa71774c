package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecuteRequest;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.testkit.TempHome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every Husk promises about kernels.
abstract class KernelsContract extends HuskFixture {

  @Test
  void kernelIsMadeOnceAndFoundAgainByItsName() {
    var made = husk.getOrCreate("demo");
    var again = husk.getOrCreate("demo");

    assertThat(again.kernelId()).isEqualTo(made.kernelId());
    assertThat(made.name()).contains("demo");
    assertThat(made.status()).isEqualTo(KernelStatus.IDLE);
    assertThat(made.process()).isPresent().isEqualTo(again.process());
    assertThat(husk.find("demo").map(KernelRecord::kernelId)).contains(made.kernelId());
    assertThat(husk.find(made.kernelId()).flatMap(KernelRecord::name)).contains("demo");
  }

  @Test
  void newKernelOfATakenNameIsRefused() {
    var made = husk.create("demo", KernelOptions.NONE);

    assertProblem(
        Problem.Code.KERNEL_ALREADY_EXISTS, () -> husk.create("demo", KernelOptions.NONE));
    assertThat(husk.getOrCreate("demo").kernelId()).isEqualTo(made.kernelId());
  }

  @Test
  void kernelWithoutANameIsKnownByItsId() {
    var made = husk.create(KernelOptions.NONE);

    assertThat(made.name()).isEmpty();
    assertThat(husk.execute(made.kernelId(), "6 * 7").returnValue()).contains("42");
    assertThat(husk.destroy(made.kernelId())).isTrue();
  }

  @Test
  void optionsReachTheKernel() throws IOException {
    try (var elsewhere = TempHome.create()) {
      var kernel =
          husk.create(
              "demo",
              KernelOptions.NONE
                  .inDirectory(elsewhere.path().toString())
                  .withEnv(Map.of("COLOUR", "grün"))
                  .withTags(Map.of("agent", "7"))
                  .withStartupCode("import os; ready = os.environ['COLOUR']")
                  .withIdleTimeout(Duration.ofMillis(90_500)));

      assertThat(kernel.cwd()).isEqualTo(elsewhere.path());
      assertThat(kernel.tags()).containsExactly(Map.entry("agent", "7"));
      assertThat(kernel.environment()).contains("COLOUR");
      assertThat(kernel.idleTimeout()).isEqualTo(Duration.ofMillis(90_500));
      assertThat(husk.execute(kernel, "ready, os.getcwd()").returnValue())
          .contains("('grün', '" + elsewhere.path() + "')");
      husk.destroy(kernel);
    }
  }

  @Test
  void kernelStartsInTheDirectoryOfItsCaller() {
    assertThat(husk.getOrCreate("demo").cwd()).isEqualTo(home.path());
  }

  @Test
  void listShowsKernelsOldestFirst() {
    husk.getOrCreate("first");
    husk.getOrCreate("second");

    assertThat(husk.list())
        .extracting(kernel -> kernel.name().orElse(""))
        .containsExactly(ANCHOR, "first", "second");
  }

  @Test
  void statusTellsWhetherAKernelLivesAndReacts() {
    var kernel = husk.getOrCreate("demo");
    assertThat(husk.status(kernel))
        .satisfies(health -> assertThat(health.alive()).isTrue())
        .satisfies(health -> assertThat(health.responsive()).isTrue());

    husk.execute(kernel, "import os; os._exit(3)");

    var health = husk.status("demo");
    assertThat(health.alive()).isFalse();
    assertThat(health.responsive()).isFalse();
    assertThat(health.kernel().death().flatMap(death -> death.exitCode())).contains(3);
  }

  @Test
  void unknownKernelIsNotFound() {
    assertThat(husk.find("nobody")).isEmpty();
    assertThat(husk.destroy("nobody")).isFalse();
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.status("nobody"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.restart("nobody"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.interrupt("nobody"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.log("nobody"));
  }

  @Test
  void problemSaysWhatToDoNext() {
    try {
      husk.status("nobody");
    } catch (Problem problem) {
      assertThat(problem.text()).isEqualTo("Unknown kernel: nobody");
      assertThat(problem.remedies()).isNotEmpty();
    }
  }

  @Test
  void restartForgetsVariablesAndKeepsTheId() {
    var kernel = husk.getOrCreate("demo");
    husk.execute(kernel, "x = 1");

    var restarted = husk.restart(kernel);

    assertThat(restarted.kernelId()).isEqualTo(kernel.kernelId());
    assertThat(restarted.process()).isPresent().isNotEqualTo(kernel.process());
    assertThat(husk.execute(kernel, "'x' in globals()").returnValue()).contains("False");
  }

  @Test
  void destroyedKernelIsGoneWithItsProcess() {
    var kernel = husk.getOrCreate("demo");
    var process = kernel.process().orElseThrow();

    assertThat(husk.destroy(kernel)).isTrue();

    assertThat(ProcessHandle.of(process.pid())).isEmpty();
    assertThat(kernel.connectionFile()).doesNotExist();
    assertThat(husk.find("demo")).isEmpty();
    assertThat(husk.destroy(kernel)).isFalse();
  }

  @Test
  void executingOnTheRecordOfADestroyedKernelIsRefused() {
    var kernel = husk.getOrCreate("demo");
    husk.destroy("demo");

    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.execute(kernel, "1"));
    assertThat(husk.find("demo")).isEmpty();

    assertThat(husk.execute("demo", "1").ok()).isTrue();
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.execute(kernel, "1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Größe 🐚", "%2F", "a?b=c&d#e", " spaced ", "a;b", "a+b"})
  void almostAnythingCanBeAName(String name) {
    var kernel = husk.getOrCreate(name);

    assertThat(kernel.name()).contains(name);
    assertThat(husk.execute(name, "x = 1; x").returnValue()).contains("1");
    assertThat(husk.find(name).map(KernelRecord::kernelId)).contains(kernel.kernelId());
    assertThat(husk.destroy(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b", "../x", ".", ".."})
  void slashesAndDotsCanBeInAName(String name) {
    var kernel = husk.getOrCreate(name);

    assertThat(husk.execute(name, "x = 1; x").returnValue()).contains("1");
    assertThat(husk.find(name).map(KernelRecord::kernelId)).contains(kernel.kernelId());
    assertThat(husk.destroy(name)).isTrue();
  }

  @Test
  void emptyNameIsRefusedAndMeansNoKernel() {
    assertProblem(Problem.Code.INVALID_NAME, () -> husk.getOrCreate(""));
    assertProblem(Problem.Code.INVALID_NAME, () -> husk.create("", KernelOptions.NONE));
    assertProblem(Problem.Code.INVALID_NAME, () -> husk.execute("", "1"));
    assertProblem(Problem.Code.KERNEL_NOT_FOUND, () -> husk.status(""));
    assertThat(husk.find("")).isEmpty();
    assertThat(husk.destroy("")).isFalse();
    assertThat(husk.list()).hasSize(1);
  }

  @Test
  void optionThatCannotBeHonouredIsRefusedAndNothingStarts() {
    assertProblem(
        Problem.Code.INVALID_REQUEST,
        () -> husk.getOrCreate("demo", KernelOptions.NONE.inDirectory("/no/such/place")));
    assertProblem(
        Problem.Code.KERNELSPEC_NOT_FOUND,
        () -> husk.getOrCreate("demo", KernelOptions.NONE.withKernel("no-such-spec")));
    assertThat(husk.find("demo")).isEmpty();
  }

  @Test
  void interruptStopsTheCodeAndKeepsTheVariables() throws Exception {
    var kernel = husk.getOrCreate("demo");
    husk.execute(kernel, "x = 7");
    var running = new Begun();
    var sleeping =
        husk.executeAsync(
            kernel,
            ExecuteRequest.of("import time; print(1, flush=True); time.sleep(60)"),
            running);
    running.await();

    husk.interrupt(kernel);

    assertThat(sleeping.get().error().orElseThrow().ename()).isEqualTo("KeyboardInterrupt");
    assertThat(husk.execute(kernel, "x").returnValue()).contains("7");
  }

  @Test
  void logIsWhatTheProcessPrinted() {
    assertThat(husk.log(ANCHOR)).isNotNull();
  }

  @Test
  void wipeDestroysEveryKernelAndGivesTheirIds() throws IOException {
    try (var other = TempHome.create()) {
      try (var wiped = open(in(other))) {
        var ids = List.of(wiped.getOrCreate("a").kernelId(), wiped.getOrCreate("b").kernelId());

        assertThat(wiped.wipe()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(wiped.list()).isEmpty();
        assertThat(wiped.wipe()).isEmpty();
      } finally {
        end(in(other));
      }
    }
  }

  @Test
  void anotherHuskFindsTheKernelAndItsVariables() {
    husk.execute("demo", "x = 'still here'");

    try (var another = open(options)) {
      assertThat(another.execute("demo", "x").returnValue()).contains("'still here'");
    }

    assertThat(husk.execute("demo", "x + '!'").returnValue()).contains("'still here!'");
  }
}
