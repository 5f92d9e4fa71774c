package husk.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OutputsTest {
  private final Outputs outputs = new Outputs(new OutputLimits(40, 1000, 3));

  @Test
  void textIsCutAtTheLimitWithAMarkThatFitsInIt() {
    outputs.stream("stdout", "x".repeat(100));
    assertThat(outputs.stdout()).hasSize(40).endsWith(BoundedText.MARKER);
    assertThat(outputs.truncatedFields()).containsExactly("output");
  }

  @Test
  void pairOfSurrogatesIsNeverCutInTwo() {
    assertThat(BoundedText.cut("🌽".repeat(50), 41)).doesNotContain("\ud83c\n").endsWith("...");
  }

  @Test
  void colourCodesAreRemovedAlsoWhenTheyArriveInPieces() {
    outputs.stream("stdout", "a\u001b[3");
    outputs.stream("stdout", "1mred\u001b[0m");
    assertThat(outputs.stdout()).isEqualTo("ared");
    assertThat(outputs.items().getFirst().text()).contains("ared");
  }

  @Test
  void oneOutputPerRunOfAStreamInTheOrderTheyCame() {
    outputs.stream("stdout", "a");
    outputs.stream("stdout", "b");
    outputs.stream("stderr", "c");
    outputs.stream("stdout", "d");
    assertThat(outputs.items())
        .extracting(item -> item.text().orElse(""))
        .containsExactly("ab", "c", "d");
  }

  @Test
  void dataBeyondTheLimitIsLeftOutAndFlagged() {
    outputs.display(
        "display_data",
        Map.of("image/png", "p".repeat(2000), "text/html", "<b>"),
        Map.of(),
        Optional.empty());
    assertThat(outputs.items().getFirst().data()).containsOnlyKeys("text/html");
    assertThat(outputs.truncatedFields()).containsExactly("outputs");
    assertThat(outputs.images()).isEmpty();
  }

  @Test
  void moreOutputsThanAllowedAreCountedOut() {
    for (int i = 0; i < 5; i++) {
      outputs.display("display_data", Map.of("text/plain", "x"), Map.of(), Optional.empty());
    }
    assertThat(outputs.items()).hasSize(3);
    assertThat(outputs.truncatedFields()).containsExactly("outputs");
  }

  @Test
  void clearingOnTheNextOutputKeepsWhatWasThereUntilThen() {
    outputs.stream("stdout", "old");
    outputs.clear(true);
    assertThat(outputs.stdout()).isEqualTo("old");
    outputs.stream("stdout", "new");
    assertThat(outputs.stdout()).isEqualTo("new");
  }

  @Test
  void tracebackSharesOneLimit() {
    outputs.error("E", "v", List.of("t".repeat(30), "u".repeat(30), "w"));
    assertThat(
            String.join("", outputs.error().orElseThrow().traceback())
                .replace(BoundedText.MARKER.strip(), ""))
        .hasSize(40);
    assertThat(outputs.truncatedFields()).containsExactly("traceback");
  }
}
