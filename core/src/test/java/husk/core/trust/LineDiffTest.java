package husk.core.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LineDiffTest {
  @Test
  void whatWentAndWhatCameIsMarked() {
    assertThat(LineDiff.of("a\nb\nc\n", "a\nx\nc\ny\n")).isEqualTo("  a\n- b\n+ x\n  c\n+ y\n");
  }

  @Test
  void nothingIsToldOfEqualTexts() {
    assertThat(LineDiff.of("a\nb\n", "a\nb\n")).isEmpty();
  }

  @Test
  void linesFarFromAnyChangeAreLeftOut() {
    var before = lines(1, 20);
    assertThat(LineDiff.of(before, before.replace("10\n", "ten\n")))
        .isEqualTo("  …\n  8\n  9\n- 10\n+ ten\n  11\n  12\n  …\n");
  }

  @Test
  void everyLineOfTheLaterTextIsToldOrUnchanged() {
    assertThat(LineDiff.of("", "a\nb\n")).isEqualTo("+ a\n+ b\n");
    assertThat(LineDiff.of("a\nb\n", "")).isEqualTo("- a\n- b\n");
    assertThat(LineDiff.of("a\na\nb\n", "a\nb\nb\n")).isEqualTo("  a\n- a\n+ b\n  b\n");
  }

  @Test
  void largeTextsAreComparedInTheirMiddleAsAWhole() {
    var diff = LineDiff.of("same\n" + lines(0, 9_000), "same\n" + lines(10_000, 19_000));
    assertThat(diff).startsWith("  same\n- 0\n").endsWith("+ 19000\n");
  }

  private static String lines(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(number -> number + "\n")
        .collect(Collectors.joining());
  }
}
