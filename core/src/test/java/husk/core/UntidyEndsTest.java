package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.kernels.PrivateFiles;
import husk.kernels.ProcFs;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelPlace;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.store.NoteFiles;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kernels can be looked at and destroyed, whatever state an accident left them in.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UntidyEndsTest {
  private static final KernelPlace OWN =
      new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty());

  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.close();
  }

  enum State {
    NO_LAUNCH,
    SENSELESS_LAUNCH,
    NOTHING_BUT_A_ROW,
    STARTED_BY_SOMEBODY_WHO_DIED,
    STARTED_BY_SOMEBODY_WHO_DIED_AND_NOTHING_BUT_A_ROW,
    NO_FOLDER,
    NO_CONNECTION_FILE,
    NO_SANDBOX_ROW,
    SENSELESS_SANDBOX,
    NO_SANDBOX_FOLDERS,
    SENSELESS_CHECKPOINTS,
    HALF_A_CHECKPOINT,
    SENSELESS_EXECUTION
  }

  private void bringAbout(State state, KernelRecord kernel) throws IOException {
    var folder = host.places.kernel(kernel.kernelId());
    switch (state) {
      case NO_LAUNCH -> change("DELETE FROM launches");
      case SENSELESS_LAUNCH -> change("UPDATE launches SET body = '{\"launch\": 7'");
      case NOTHING_BUT_A_ROW -> {
        change("DELETE FROM launches");
        Files.delete(folder.resolve("launch.json"));
        Files.delete(folder.resolve("row.json"));
      }
      case STARTED_BY_SOMEBODY_WHO_DIED ->
          change("UPDATE kernels SET status = 'starting', pid = 999999, start_time = 1");
      case STARTED_BY_SOMEBODY_WHO_DIED_AND_NOTHING_BUT_A_ROW -> {
        change("UPDATE kernels SET status = 'starting', pid = 999999, start_time = 1");
        bringAbout(State.NOTHING_BUT_A_ROW, kernel);
      }
      case NO_FOLDER -> PrivateFiles.delete(folder);
      case NO_CONNECTION_FILE -> Files.delete(kernel.connectionFile());
      case NO_SANDBOX_ROW -> change("DELETE FROM sandboxes");
      case SENSELESS_SANDBOX -> {
        var note = sandboxFolder(kernel).resolve("row.json");
        change("UPDATE sandboxes SET spec = 'nonsense'");
        Files.delete(note);
      }
      case NO_SANDBOX_FOLDERS -> {
        PrivateFiles.delete(host.places.home().resolve("sandboxes"));
        PrivateFiles.delete(host.places.sockets().resolve("s"));
      }
      case SENSELESS_CHECKPOINTS -> Files.writeString(folder.resolve("checkpoints.json"), "[{");
      case HALF_A_CHECKPOINT ->
          Files.createDirectories(sandboxFolder(kernel).resolve("kept/0123456789ab/workspace"));
      case SENSELESS_EXECUTION ->
          change(
              "INSERT INTO executions (execution_id, kernel_id, message_id, started_at, request)"
                  + " VALUES ('e', '"
                  + kernel.kernelId()
                  + "', 'm', 1, 'nonsense')");
    }
  }

  private void change(String sql) {
    RegistryRows.change(host.places.registry(), sql);
  }

  /// Others may be being made ready beside it.
  private Path sandboxFolder(KernelRecord kernel) throws IOException {
    for (var folder : sandboxFolders()) {
      var note = folder.resolve("row.json");
      if (Files.exists(note)
          && Files.readString(note).contains(KernelHomes.name(kernel.kernelId()))) {
        return folder;
      }
    }
    throw new AssertionError("its sandbox has no note");
  }

  private KernelRecord make() {
    host.variables.put("HUSK_KERNEL_POOL", "0");
    var kernel = host.core.create(Optional.of("k"), host.options().at(OWN), host.caller());
    assertThat(run("x = 42").ok()).isTrue();
    host.core.checkpoint("k", Optional.of("before"), false, host.caller());
    NoteFiles.settle();
    return kernel;
  }

  private ExecutionResult run(String code) {
    return host.core.execute(
        "k",
        ExecuteRequest.of(code),
        Optional.empty(),
        host.caller(),
        ExecutionEvent.Listener.NONE);
  }

  private void reopen() {
    host.core.close();
    host.core = host.another();
    host.core.sandboxes();
  }

  @ParameterizedTest
  @EnumSource
  void kernelInAnyStateIsListedAndDestroyed(State state) throws IOException {
    var kernel = make();
    bringAbout(state, kernel);
    assertThat(host.core.list()).hasSize(1);

    assertThat(host.core.destroy("k")).isTrue();

    assertNothingIsLeft(kernel);
  }

  @ParameterizedTest
  @EnumSource
  void kernelInAnyStateIsFoundByTheNextProcessAndWipedWithTheOthers(State state)
      throws IOException {
    var kernel = make();
    var other = host.kernel("other");
    host.core.close();
    bringAbout(state, kernel);
    host.core = host.another();
    assertThat(host.core.list()).hasSize(2);
    assertThat(host.core.sandboxes().list(Map.of())).hasSizeLessThanOrEqualTo(1);

    assertThat(host.core.destroyAll()).contains(kernel.kernelId(), other.kernelId());

    assertNothingIsLeft(kernel);
  }

  @ParameterizedTest
  @EnumSource
  void restartAndExecuteSucceedOrSayWhatToDo(State state) throws IOException {
    var kernel = make();
    bringAbout(state, kernel);
    reopen();

    try {
      run("1");
      host.core.restart("k");
    } catch (Problem problem) {
      assertThat(problem.remedies()).as(problem.text()).isNotEmpty();
      assertThat(problem.code()).isNotEqualTo(Problem.Code.INTERNAL);
    }
    host.core.destroy("k");
    assertNothingIsLeft(kernel);
  }

  @Test
  void kernelWhoseLaunchIsLostLivesOnByWhatWasNotedOfIt() throws IOException {
    bringAbout(State.NO_LAUNCH, make());
    reopen();
    assertThat(run("x").returnValue()).contains("42");
  }

  @Test
  void nameOfAKernelThatIsOnlyARowIsGivenToANewOne() throws IOException {
    var kernel = make();
    bringAbout(State.STARTED_BY_SOMEBODY_WHO_DIED_AND_NOTHING_BUT_A_ROW, kernel);
    reopen();
    var result = host.run("k", "'x' in globals()");
    assertThat(result.returnValue()).contains("False");
    assertThat(result.stateLost()).isTrue();
    assertThat(host.core.require("k").kernelId()).isNotEqualTo(kernel.kernelId());
  }

  private void assertNothingIsLeft(KernelRecord kernel) throws IOException {
    assertThat(host.core.list()).isEmpty();
    assertThat(host.core.sandboxes().list(Map.of())).isEmpty();
    assertThat(host.places.kernel(kernel.kernelId())).doesNotExist();
    assertThat(kernel.connectionFile()).doesNotExist();
    assertThat(ProcFs.alive(kernel.process().orElseThrow())).isFalse();
    reopen();
    assertThat(sandboxFolders()).isEmpty();
  }

  private List<Path> sandboxFolders() throws IOException {
    try (var folders = Files.list(host.places.home().resolve("sandboxes"))) {
      return folders.filter(it -> it.getFileName().toString().matches("[0-9a-f]{32}")).toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
