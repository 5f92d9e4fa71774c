package husk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Javadoc can be made without a complaint, and shows the examples that tests run.
class JavadocTest {
  @Test
  void javadocShowsTheTestedExamples(@TempDir Path pages) throws IOException {
    var module = Path.of(System.getProperty("husk.root", "../..")).resolve("sdk/java");
    var said = new StringWriter();

    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-quiet",
                "-Xdoclint:all,-missing",
                "-Werror",
                "-notimestamp",
                "--class-path",
                System.getProperty("java.class.path"),
                "--snippet-path",
                module.resolve("src/test/java").toString(),
                "-sourcepath",
                module.resolve("src/main/java").toString(),
                "-d",
                pages.toString(),
                "husk",
                "husk.gateway");

    assertThat(said.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(Files.readString(pages.resolve("husk/Husk.html")))
        .contains("try (Husk husk = Husk.open())", "x.append(4)", "greeting=hello", "step");
    assertThat(Files.readString(pages.resolve("husk/Sandboxes.html"))).contains("6 * 7");
    assertThat(Files.readString(pages.resolve("husk/Sandbox.html")))
        .contains("for i in 1 2 3", "calculator");
    assertThat(Files.readString(pages.resolve("husk/gateway/KernelClient.html")))
        .contains("half way", "step in range", "print(sum(x))");
    assertThat(Files.readString(pages.resolve("husk/gateway/KernelGateway.html")))
        .contains("6 * 7");
  }
}
