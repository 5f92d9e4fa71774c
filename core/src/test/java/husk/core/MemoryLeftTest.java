package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryLeftTest {
  @TempDir Path group;

  private void holds(String file, String text) throws IOException {
    Files.writeString(group.resolve(file), text);
  }

  @Test
  void memoryIsScarceBeyondThreeQuarters() throws IOException {
    holds("memory.max", "1000\n");
    holds("memory.current", "751\n");
    assertThat(MemoryLeft.scarce(group)).isTrue();
    holds("memory.current", "750\n");
    assertThat(MemoryLeft.scarce(group)).isFalse();
  }

  @Test
  void whatCanBeReadAgainFromADiskDoesNotCount() throws IOException {
    holds("memory.limit_in_bytes", "1000\n");
    holds("memory.usage_in_bytes", "900\n");
    holds("memory.stat", "inactive_file 0\nactive_file 0\ntotal_inactive_file 100\n");
    assertThat(MemoryLeft.scarce(group)).isTrue();
    holds("memory.stat", "inactive_file 0\ntotal_inactive_file 100\ntotal_active_file 100\n");
    assertThat(MemoryLeft.scarce(group)).isFalse();
  }

  @Test
  void withoutALimitMemoryIsNeverScarce() throws IOException {
    holds("memory.max", "max\n");
    holds("memory.current", "900\n");
    assertThat(MemoryLeft.scarce(group)).isFalse();
    assertThat(MemoryLeft.scarce(group.resolve("gone"))).isFalse();
  }
}
