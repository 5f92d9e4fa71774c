package husk.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

final class JsonPeekTest {
  private static final String RESULT =
      """
      {
        "output" : "\\"status\\": \\"success\\" }",
        "list": [1, {"status": "no"}, "two"],
        "error": {"code": "usage", "remedies": [ "one", "t\\u00e9\\n" ], "none": null},
        "status":"error", "destroyed": false, "n": -1.5e3
      }
      """;

  @Test
  void findsWhatIsAtAPathAndNotWhatLooksLikeIt() {
    assertThat(JsonPeek.at(RESULT, "status")).contains("error");
    assertThat(JsonPeek.at(RESULT, "destroyed")).contains("false");
    assertThat(JsonPeek.at(RESULT, "n")).contains("-1.5e3");
    assertThat(JsonPeek.at(RESULT, "list", "1", "status")).contains("no");
    assertThat(JsonPeek.at(RESULT, "error", "remedies", "1")).contains("té\n");
  }

  @Test
  void whatIsNotThereIsEmpty() {
    assertThat(JsonPeek.at(RESULT, "error", "remedies", "2")).isEmpty();
    assertThat(JsonPeek.at(RESULT, "error", "none")).isEmpty();
    assertThat(JsonPeek.at(RESULT, "error")).isEmpty();
    assertThat(JsonPeek.at(RESULT, "status", "more")).isEmpty();
    assertThat(JsonPeek.at("", "status")).isEmpty();
    assertThat(JsonPeek.at("<html>", "status")).isEmpty();
  }

  @Test
  void readsWhatJsonTextWrites() {
    var random = new Random(11);
    for (int round = 0; round < 2000; round++) {
      String value = JsonTextTest.anyString(random);
      var inner = new JsonText().text("b", "x").text("c", value);
      String json = new JsonText().text("z", value).object("a", inner).toString();
      assertThat(JsonPeek.at(json, "a", "c")).contains(value);
    }
  }

  @Test
  void garbageNeitherThrowsNorHangs() {
    var random = new Random(13);
    String letters = "{}[]:,\"\\ua1 \n";
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int round = 0; round < 20_000; round++) {
            var garbage = new StringBuilder("{\"a\":");
            for (int i = random.nextInt(20); i > 0; i--) {
              garbage.append(letters.charAt(random.nextInt(letters.length())));
            }
            JsonPeek.at(garbage.toString(), "status", "1");
          }
        });
  }
}
