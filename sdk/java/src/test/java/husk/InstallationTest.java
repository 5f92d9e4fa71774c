package husk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
  @TempDir Path folder;

  @Test
  void variableSaysWhereItIs() {
    assertThat(Installation.locate(Map.of("HUSK_DIST", "/opt/husk", "PATH", "/usr/bin")))
        .containsEntry("HUSK_DIST", "/opt/husk");
  }

  @Test
  void launcherOnThePathLeadsToItsInstallation() throws IOException {
    program("dist/bin/husk-daemon");
    var link = folder.resolve("links/husk");
    Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(link, program("dist/bin/husk"));

    assertThat(Installation.locate(Map.of("PATH", "/nowhere::" + folder.resolve("links"))))
        .containsEntry("HUSK_DIST", folder.resolve("dist").toRealPath().toString());
  }

  @Test
  void launcherOfACheckoutLeadsToWhatWasBuiltThere() throws IOException {
    program("app/target/husk/bin/husk-daemon");
    program("husk");

    assertThat(Installation.locate(Map.of("PATH", folder.toString())))
        .containsEntry("HUSK_DIST", folder.resolve("app/target/husk").toRealPath().toString());
  }

  @Test
  void nothingIsSaidOfAnInstallationThatIsNowhere() throws IOException {
    program("husk");

    assertThat(Installation.locate(Map.of("PATH", folder.toString())))
        .doesNotContainKey("HUSK_DIST");
  }

  private Path program(String inside) throws IOException {
    Path file = folder.resolve(inside);
    Files.createDirectories(file.resolveSibling(""));
    Files.createFile(file);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }
}
