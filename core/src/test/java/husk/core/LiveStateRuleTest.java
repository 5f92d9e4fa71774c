package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.kernels.Launch;
import husk.kernels.ProcFs;
import husk.model.BestOfRequest;
import husk.model.ExecuteRequest;
import husk.model.KernelPlace;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import husk.testkit.LeakDetector;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which kernels can be copied, who decides it, and what those have that cannot.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LiveStateRuleTest {
  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.close();
  }

  private static KernelPlace under(String profile) {
    return new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.of(profile));
  }

  private void make(String name, KernelPlace place) {
    host.core.create(Optional.of(name), host.options().at(place), host.caller());
  }

  private String value(String name, String code) {
    var result = host.run(name, code);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  private boolean canBeForked(String name) {
    try {
      host.core.fork(name, List.of(Optional.of(name + "-copy")), false, host.caller());
      return value(name + "-copy", "x").equals("1");
    } catch (Problem refused) {
      assertThat(refused.code()).isEqualTo(Problem.Code.CAPABILITY_MISSING);
      assertThat(refused).hasMessageContaining("without live state");
      assertThat(refused.remedies().toString()).contains("--live-state on");
      return false;
    }
  }

  /// The profile, the setting, what was asked for, and whether it can be copied then.
  @ParameterizedTest
  @CsvSource({
    "moderate,    '',  ,      true",
    "restrictive, '',  ,      false",
    "moderate,    off, ,      false",
    "restrictive, on,  ,      true",
    "moderate,    '',  false, false",
    "restrictive, off, true,  true"
  })
  void whatWasAskedForCountsBeforeTheSettingAndThatBeforeTheProfile(
      String profile, String setting, Boolean asked, boolean copied) {
    host.variables.put("HUSK_LIVE_STATE", setting);
    var place = under(profile);
    make("k", asked == null ? place : place.withLiveState(asked));
    value("k", "x = 1");
    assertThat(canBeForked("k")).isEqualTo(copied);
  }

  @Test
  void outsideOfSandboxesItCanBeLeftOutToo() {
    make("plain", KernelPlace.ANYWHERE);
    make("without", KernelPlace.ANYWHERE.withLiveState(false));
    value("plain", "x = 1");
    value("without", "x = 1");
    assertThat(canBeForked("plain")).isTrue();
    assertThat(canBeForked("without")).isFalse();
  }

  @Test
  void kernelInASharedSandboxFollowsItsProfile() {
    host.variables.put("HUSK_BACKEND", "bubblewrap");
    host.core.createSandbox(SandboxRequest.named("shared").under("restrictive"), host.caller());
    make("k", new KernelPlace(Optional.empty(), Optional.of("shared"), Optional.empty()));
    value("k", "x = 1");
    assertThat(canBeForked("k")).isFalse();
    host.core.sandboxes().remove("shared");
  }

  @Test
  void nothingThatNeedsACopyIsDoneAndNothingOfItStays() {
    make("k", under("restrictive"));
    value("k", "x = 1");
    var refusal = "kernel `k` was made without live state";
    assertThatThrownBy(() -> host.core.checkpoint("k", Optional.empty(), false, host.caller()))
        .hasMessageContaining(refusal);
    assertThatThrownBy(
            () -> host.core.bestOf("k", BestOfRequest.of(List.of("x = 2")), host.caller()))
        .hasMessageContaining(refusal);
    assertThatThrownBy(() -> host.run("k", ExecuteRequest.of("x = 2").previewing()))
        .hasMessageContaining(refusal);
    assertThat(value("k", "x")).isEqualTo("1");
    assertThat(host.core.list()).hasSize(1);
    assertThat(host.core.checkpoints("k")).isEmpty();
  }

  @Test
  void kernelWithoutItSharesItsMemoryWithNobody() {
    make("k", under("restrictive"));
    make("copied", under("moderate"));
    assertThat(relatives("k")).isEqualTo(relatives("copied") - 1);
    // It is a whole kernel all the same.
    assertThat(value("k", "import os; os.getuid(), os.getcwd()")).isEqualTo("(1000, '/workspace')");
    host.core.restart("k");
    assertThat(value("k", "2 + 2")).isEqualTo("4");
  }

  /// The processes outside that a kernel descends from, up to this one.
  private int relatives(String name) {
    int count = 0;
    var process = host.core.require(name).process();
    for (long pid = process.orElseThrow().pid(); pid > 1; count++) {
      pid = ProcFs.stat(pid).orElseThrow().parent();
    }
    return count;
  }

  @Test
  void kernelsOfOthersCannotBeAskedToHaveIt() throws IOException {
    var spec = Files.createDirectories(host.home.path().resolve("jupyter/kernels/other"));
    Files.writeString(
        spec.resolve("kernel.json"),
        "{\"argv\": [\"true\"], \"display_name\": \"o\", \"language\": \"o\"}");
    host.variables.put("JUPYTER_PATH", host.home.path().resolve("jupyter").toString());
    var options = host.options().at(KernelPlace.ANYWHERE.withLiveState(true)).withKernel("other");
    assertThatThrownBy(() -> host.core.create(Optional.of("k"), options, host.caller()))
        .hasMessageContaining("`other` cannot be copied");
  }

  @Test
  void launchThatWasStoredWithoutAWordOnItCanBeCopied() {
    var launch =
        new Launch(
            "k", Path.of("/c"), Path.of("/d"), List.of(), Path.of("/"), Map.of(), Optional.empty());
    var json = Json.text(launch).replaceFirst(",?\"live_?[sS]tate\":[^,}]*", "");
    assertThat(json).doesNotContainIgnoringCase("state");
    assertThat(Json.read(json, Launch.class).copyable()).isTrue();
  }
}
