package husk.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class VersionTest {

  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    var pom = Files.readString(Path.of(System.getProperty("husk.root", ".."), "pom.xml"));
    assertThat(pom).contains("<version>" + Version.NUMBER + "</version>\n  <packaging>pom");
  }
}
