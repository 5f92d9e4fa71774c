package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.TestPython;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PythonPrinterTest {
  record Bean(int zeta, List<String> alpha) {}

  @Test
  void printsIndentedSortedAndEscaped() {
    assertThat(Json.pretty(Map.of("b", List.of(1, "é\n\"/\u007f"), "a", Map.of(), "c", List.of())))
        .isEqualTo(
            """
            {
              "a": {},
              "b": [
                1,
                "\\u00e9\\n\\"/\\u007f"
              ],
              "c": []
            }\
            """);
  }

  @Test
  void sortsTheComponentsOfRecords() {
    assertThat(Json.pretty(new Bean(1, List.of())))
        .isEqualTo("{\n  \"alpha\": [],\n  \"zeta\": 1\n}");
  }

  @Test
  void printsWhatPythonPrints() throws Exception {
    var python = TestPython.find().toString();
    var value = sample(Mutations.seed());
    var process =
        new ProcessBuilder(
                python,
                "-c",
                "import json,sys; sys.stdout.write(json.dumps(json.loads(sys.stdin.buffer.read()),"
                    + " indent=2, sort_keys=True))")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var stdin = process.getOutputStream()) {
      stdin.write(Json.bytes(value));
    }
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(Json.pretty(Json.tree(Json.bytes(value)))).isEqualTo(printed);
  }

  private static Map<String, Object> sample(long seed) {
    var random = new Random(seed);
    var sample = new LinkedHashMap<String, Object>();
    for (int i = 0; i < 300; i++) {
      sample.put(text(random), Math.scalb(random.nextDouble() - 0.5, random.nextInt(120) - 60));
      sample.put(text(random), List.of(random.nextLong(), random.nextBoolean(), text(random)));
    }
    sample.put(
        "edges", List.of(0.0, -0.0, 1.0, 1e15, 1e16, 1e-4, 1e-5, 123456789012345680.0, 1e100));
    return sample;
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      int c = random.nextInt(random.nextBoolean() ? 0x80 : 0x20000);
      text.appendCodePoint(Character.getType(c) == Character.SURROGATE ? 'x' : c);
    }
    return text.toString();
  }
}
