package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class JsonTextTest {

  @Test
  void writesEveryKindOfField() {
    var json =
        new JsonText()
            .text("a", "b\n\"\\")
            .text("left out", Optional.empty())
            .number("whole", 7)
            .number("part", 0.5)
            .flag("yes", true)
            .strings("list", List.of("x", "y"))
            .strings("map", Map.of("k", "v"))
            .object("empty", new JsonText());
    assertThat(json)
        .hasToString(
            "{\"a\":\"b\\n\\\"\\\\\",\"whole\":7,\"part\":0.5,\"yes\":true,"
                + "\"list\":[\"x\",\"y\"],\"map\":{\"k\":\"v\"},\"empty\":{}}");
  }

  @Test
  void whateverAStringHoldsComesBackEvenThroughUtf8() {
    var random = new Random(20260101);
    for (int round = 0; round < 3000; round++) {
      var map = new LinkedHashMap<String, String>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        map.put(anyString(random), anyString(random));
      }
      String json = new JsonText().strings("map", map).toString();
      String wire = new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      assertThat(SmallJson.parse(wire)).isEqualTo(Map.of("map", map));
    }
  }

  @Test
  void everyFiniteNumberIsANumberOfJson() {
    var random = new Random(7);
    for (int round = 0; round < 3000; round++) {
      double number = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(number)) {
        var parsed = (Map<?, ?>) SmallJson.parse(new JsonText().number("n", number).toString());
        assertThat(Double.parseDouble((String) parsed.get("n"))).isEqualTo(number);
      }
    }
    assertThatThrownBy(() -> new JsonText().number("n", Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  static String anyString(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 -> text.append((char) random.nextInt(0x20));
        case 1 -> text.append((char) (0xd800 + random.nextInt(0x800)));
        case 2 -> text.appendCodePoint(0x10000 + random.nextInt(0x1000));
        case 3 -> text.append("\"\\/{}[]:,".charAt(random.nextInt(9)));
        default -> text.append((char) random.nextInt(0x10000));
      }
    }
    return text.toString();
  }
}
