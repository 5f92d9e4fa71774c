package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.ExecuteRequest;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.KernelPlace;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels with limits of their own, as they feel them inside.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LimitedKernelTest {
  private static final KernelPlace OWN =
      new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty());

  private final CoreHost host = new CoreHost();

  @AfterEach
  void close() {
    host.core.sandboxes().clean(true);
    host.close();
  }

  private static KernelPlace limited(String name, long value) {
    return OWN.limitedTo(Map.of(name, value));
  }

  private ExecutionResult run(String kernel, KernelPlace place, String code) {
    return host.core.execute(
        kernel,
        ExecuteRequest.of(code),
        Optional.of(host.options().at(place)),
        host.caller(),
        ExecutionEvent.Listener.NONE);
  }

  private static String megabytes(int count) {
    return "x = bytearray("
        + count
        + " << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\nlen(x) >> 20";
  }

  @Test
  void kernelHasTheMemoryItWasMadeWith() {
    var large = run("large", limited("memory_mb", 1024), megabytes(700));
    assertThat(large.returnValue()).as(large.toString()).contains("700");
    var small = run("small", limited("memory_mb", 128), megabytes(300));
    var death = small.death().orElseThrow();
    assertThat(death.cause().wireName()).isEqualTo("out_of_memory");
    assertThat(death.detail()).contains("its limit is 128 MB").contains("--memory");
  }

  @Test
  void forkHasTheLimitsOfWhatItWasCopiedFrom() {
    run("small", limited("memory_mb", 128), "1");
    host.core.fork("small", List.of(Optional.of("copy")), false, host.caller());
    assertThat(run("copy", OWN, megabytes(300)).death()).isPresent();
  }

  @Test
  void processorsAndDiskAreThoseOfItsSandbox() {
    var limits = Map.of("cpu_percent", 50L, "workspace_mb", 64L);
    run("k", OWN.limitedTo(limits), "1");
    var held = host.core.sandboxes().list(Map.of()).getFirst().spec().limits();
    assertThat(held.cpuPercent()).isEqualTo(50);
    assertThat(held.workspaceMb()).isEqualTo(64);
  }

  @Test
  void kernelThatWasMadeWithOtherLimitsIsNotTakenForOneWithThese() {
    run("k", OWN, "x = 1");
    assertThatThrownBy(() -> run("k", limited("memory_mb", 1024), "x"))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("memory_mb = 1024");
    assertThat(run("k", OWN, "x").returnValue()).contains("1");
  }

  @Test
  void limitsThatNobodyWouldHoldAreRefused() {
    var outside = new KernelPlace(Optional.of("host"), Optional.empty(), Optional.empty());
    var limits = Map.of("memory_mb", 64L);
    assertThatThrownBy(() -> run("k", outside.limitedTo(limits), "1")).isInstanceOf(Problem.class);
    var shared = new KernelPlace(Optional.empty(), Optional.of("s"), Optional.empty());
    assertThatThrownBy(() -> run("k", shared.limitedTo(limits), "1")).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> run("k", limited("moons", 2), "1")).isInstanceOf(Problem.class);
    assertThat(host.core.list()).isEmpty();
  }
}
