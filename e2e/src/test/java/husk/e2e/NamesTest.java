package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What kernels may be called; one daemon hears all the names.
@ExtendWith(LeakDetector.class)
final class NamesTest {
  private static HuskCommand husk;

  @BeforeAll
  static void open() {
    husk = new HuskCommand();
    husk.run("create", "--name", "anchor");
  }

  @AfterAll
  static void close() {
    husk.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../etc/passwd",
        "a b",
        "name/with/slashes",
        "%2F..%2F",
        "'; drop table kernels; --",
        "émoji 🌽",
        "?x=1&y=2",
        "#fragment",
        "{id}",
        "quote\"quote",
        "--help-me",
        "."
      })
  void namesMayHoldAlmostAnything(String name) {
    var outcome = husk.run("exec", "--name=" + name, "'here'");
    assertThat(outcome.exit()).as(outcome.err()).isZero();
    assertThat(husk.run("status", "--name=" + name).json().path("kernel").path("name").asString())
        .isEqualTo(name);
    assertThat(husk.run("destroy", "--name=" + name).exit()).isZero();
  }
}
