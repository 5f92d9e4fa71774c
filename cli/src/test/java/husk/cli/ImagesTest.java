package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// `exec --images`: files instead of base64.
@ExtendWith(LeakDetector.class)
final class ImagesTest {
  private static final String RESULT =
      """
      {
        "execution_id": "333e6a4ab69fffcf",
        "images": [
          {
            "data": "aGVsbG8=",
            "mime": "image/png"
          }
        ],
        "outputs": [{"data": {"image/png": "aGVsbG8="}}],
        "status": "success"
      }
      """;

  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  @Test
  void imagesAreFilesAndTheirPathsStandForTheData() throws IOException {
    try (var _ = calls.daemon(_ -> FakeDaemon.json("Husk-Status: success\r\n", RESULT))) {
      assertThat(calls.husk("exec", "--name", "a", "--images", "pics", "1")).isZero();
    }
    var file = calls.temp.resolve("pics/333e6a4a-1.png");
    assertThat(file).hasContent("hello");
    assertThat(calls.err()).isEqualTo("image: " + file + "\n");
    assertThat(calls.out())
        .contains("\"path\": \"" + file + "\"", "\"image/png\": \"" + file + "\"")
        .doesNotContain("aGVsbG8=");
  }

  @Test
  void eventsAndFilesOfImagesExcludeEachOther() {
    assertThat(calls.husk("exec", "--name", "a", "--images", ".", "--stream", "--json", "1"))
        .isEqualTo(2);
  }
}
