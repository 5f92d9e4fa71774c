package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.kernels.ProcFs;
import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.KernelPlace;
import husk.model.KernelRecord;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kernels and sandboxes outlive the registry that knew of them.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RebuildTest {
  private static final KernelPlace OWN =
      new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty());

  private final CoreHost host = new CoreHost();
  private KernelRecord housed;
  private KernelRecord outside;

  enum Loss {
    GONE,
    EMPTY,
    RANDOM_HEAD,
    RANDOM_MIDDLE,
    HALF
  }

  @BeforeEach
  void makeKernels() {
    host.variables.put("HUSK_KERNEL_POOL", "0");
    housed = host.core.create(Optional.of("housed"), host.options().at(OWN), host.caller());
    outside = host.kernel("outside");
    host.core.createSandbox(SandboxRequest.named("box"), host.caller());
    execute("housed", "x = 'inside'");
    execute("outside", "x = 'outside'");
  }

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  private String execute(String kernel, String code) {
    var result =
        host.core.execute(
            kernel,
            ExecuteRequest.of(code),
            Optional.empty(),
            host.caller(),
            ExecutionEvent.Listener.NONE);
    assertThat(result.ok()).as(result.toString()).isTrue();
    return result.returnValue().orElse("");
  }

  private void lose(Loss loss) throws IOException {
    var file = host.places.registry();
    try (var access = new RandomAccessFile(file.toFile(), "rw")) {
      var random = new byte[4096];
      new Random(7).nextBytes(random);
      switch (loss) {
        case GONE -> Files.delete(file);
        case EMPTY -> access.setLength(0);
        case RANDOM_HEAD -> access.write(random);
        case RANDOM_MIDDLE -> {
          for (long at = 4096; at < access.length(); at += 4096) {
            access.seek(at);
            access.write(random);
          }
        }
        case HALF -> access.setLength(access.length() / 2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatLivesIsFoundAgainWithItsNamesAndVariables(Loss loss) throws IOException {
    host.core.close();
    lose(loss);

    host.core = host.another();

    assertThat(host.core.list()).extracting(it -> it.name().orElse("")).contains("housed");
    assertThat(host.core.list()).hasSize(2);
    assertThat(execute("housed", "x")).isEqualTo("'inside'");
    assertThat(execute("outside", "x")).isEqualTo("'outside'");
    assertThat(host.core.require("housed").process()).isEqualTo(housed.process());
    assertThat(host.core.sandboxes().list(Map.of()))
        .extracting(SandboxInfo::name)
        .contains("box")
        .hasSize(2);
    assertThat(host.core.sandboxes().use("box").alive()).isTrue();
    assertThat(host.places.notice()).content().contains("housed", "outside", "box");
    // They can be started again as they were.
    host.core.restart("housed");
    assertThat(execute("housed", "1 + 1")).isEqualTo("2");
  }

  @Test
  void registryThatIsDamagedWhileItIsUsedIsMadeAnewAndGoesOn() {
    RegistryRows.change(host.places.registry(), "UPDATE kernels SET status = 'nonsense'");
    try {
      host.core.list();
    } catch (husk.model.Problem told) {
      assertThat(told).hasMessageContaining("made anew");
    }
    assertThat(host.core.list()).hasSize(2);
    assertThat(execute("housed", "x")).isEqualTo("'inside'");
    assertThat(host.places.notice()).exists();
  }

  @Test
  void whatCannotBeKnownAgainIsEndedAndSaid() throws IOException {
    host.core.close();
    lose(Loss.EMPTY);
    Files.writeString(host.places.kernel(housed.kernelId()).resolve("launch.json"), "{");
    Files.writeString(host.places.kernel(outside.kernelId()).resolve("row.json"), "{");

    host.core = host.another();
    host.core.sandboxes();

    assertThat(host.core.list()).isEmpty();
    assertThat(ProcFs.alive(housed.process().orElseThrow())).isFalse();
    Eventually.until(
        Duration.ofSeconds(30),
        () -> !ProcFs.alive(outside.process().orElseThrow()),
        () -> "the kernel lives");
    assertThat(host.core.sandboxes().list(Map.of()))
        .singleElement()
        .satisfies(info -> assertThat(info.name()).isEqualTo("box"));
    assertThat(host.places.kernel(housed.kernelId())).doesNotExist();
    assertThat(host.places.notice())
        .content()
        .contains("Ended: kernel ", "kernel housed,", "kernel " + outside.kernelId());
  }

  @Test
  void sandboxOfWhichNothingCanBeReadIsEndedAndItsFilesStay() throws IOException {
    var box = host.core.sandboxes().require("box");
    Files.writeString(box.workspace().resolve("mine.txt"), "kept");
    host.core.close();
    lose(Loss.HALF);
    Path note = box.workspace().resolveSibling("row.json");
    Files.writeString(note, "nonsense");

    host.core = host.another();

    assertThat(host.core.sandboxes().find("box")).isEmpty();
    assertThat(ProcFs.alive(new husk.model.KernelProcess(box.pid(), 0))).isFalse();
    assertThat(box.workspace().resolve("mine.txt")).hasContent("kept");
    assertThat(execute("housed", "x")).isEqualTo("'inside'");
    assertThat(host.places.notice()).content().contains("sandbox " + box.id());
  }

  @Test
  void registryThatIsMerelyNewIsNothingToSpeakOf() {
    assertThat(host.places.notice()).doesNotExist();
  }
}
