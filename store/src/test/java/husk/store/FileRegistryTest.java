package husk.store;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.KernelStatus;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// The contract, kept in a file; and what only a file can do.
class FileRegistryTest extends ExecutionsContract {
  @Override
  Registry open(Path folder) {
    return SqliteRegistry.open(folder.resolve("registry.db"));
  }

  @Test
  void whatWasWrittenIsThereAfterOpeningAgain() {
    var kernel = registry.claim(Kernels.full("demo"), "{}", 10);
    registry.begin(ExecutionRow.running("e1", kernel.kernelId(), "m", "{}", Instant.EPOCH));
    registry.close();

    registry = open(home.path());

    assertThat(registry.list()).containsExactly(kernel);
    assertThat(registry.launch(kernel.kernelId())).contains("{}");
    assertThat(registry.running(kernel.kernelId())).hasSize(1);
  }

  @Test
  void twoRegistriesOfOneFileSeeEachOthersChangesAtOnce() {
    try (var other = open(home.path())) {
      var kernel = registry.claim(Kernels.named("demo"));
      assertThat(other.list()).containsExactly(kernel);

      other.touch(kernel.kernelId(), Instant.EPOCH, KernelStatus.BUSY);
      assertThat(registry.find("demo").orElseThrow().status()).isEqualTo(KernelStatus.BUSY);

      other.remove(kernel.kernelId());
      assertThat(registry.list()).isEmpty();
      assertThat(registry.update(kernel.kernelId(), present -> present)).isEmpty();
    }
  }
}
