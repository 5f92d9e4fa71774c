package husk.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RequirementsTest {
  @Test
  void whatIsThereIsNoMatter() {
    Requirements.need(true, "docker", true);
    Requirements.need(true, "docker", false);
  }

  @Test
  void whatIsMissingSkipsTheTestAndSaysWhy() {
    assertThatThrownBy(() -> Requirements.need(false, "docker", false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("docker");
  }

  @Test
  void whatIsMissingFailsWhereNothingMay() {
    assertThatThrownBy(() -> Requirements.need(false, "docker", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("docker");
  }
}
