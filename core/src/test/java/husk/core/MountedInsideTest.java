package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MountedInsideTest {
  @ParameterizedTest
  @CsvSource({
    "/tmp/plain, /tmp/plain",
    "'/tmp/with\\040blank', '/tmp/with blank'",
    "'/tmp/back\\134slash', '/tmp/back\\slash'",
    "'/tmp/short\\04', '/tmp/short\\04'"
  })
  void namesAreReadAsTheyAre(String written, String name) {
    assertThat(MountedInside.plain(written)).isEqualTo(name);
  }
}
