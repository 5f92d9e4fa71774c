package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.core.Languages.Language;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which language a command or a project is in.
@ExtendWith(LeakDetector.class)
final class LanguagesTest {
  private static Optional<String> name(Optional<Language> language) {
    return language.map(Language::name);
  }

  @ParameterizedTest
  @CsvSource({
    "npm,node",
    "/opt/node/bin/node,node",
    "cargo,rust",
    "gofmt,go",
    "pytest,python",
    "python3,python",
    "rake,ruby",
    "mvn,java",
    "./gradlew,java",
    "dotnet,dotnet",
    "clang++,c",
    "composer,php",
    "iex,elixir",
    "zsh,shell",
    "luajit,lua",
    "terraform,terraform"
  })
  void commandIsKnownByItsName(String command, String language) {
    assertThat(name(Languages.of(command))).contains(language);
  }

  @Test
  void commandOfNoLanguageIsNone() {
    assertThat(Languages.of("true")).isEmpty();
    assertThat(Languages.of("")).isEmpty();
    assertThat(Languages.of("python3 ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.lock,node",
    "Cargo.toml,rust",
    "go.mod,go",
    "requirements.txt,python",
    "demo.gemspec,ruby",
    "build.gradle.kts,java",
    "Main.kt,kotlin",
    "App.csproj,dotnet",
    "main.cpp,c",
    "index.php,php",
    "mix.exs,elixir",
    "run.sh,shell",
    ".luacheckrc,lua",
    "main.tf,terraform"
  })
  void projectIsKnownByItsFiles(String file, String language) throws IOException {
    try (var home = TempHome.create()) {
      Files.writeString(home.resolve(file), "");
      assertThat(name(Languages.in(home.path()))).contains(language);
    }
  }

  @Test
  void firstLanguageOfTheTableWinsAndFilesWinOverTheProcfile() throws IOException {
    try (var home = TempHome.create()) {
      Files.writeString(home.resolve("Procfile"), "web: rails server\n");
      assertThat(name(Languages.in(home.path()))).contains("ruby");
      Files.writeString(home.resolve("Makefile"), "");
      Files.writeString(home.resolve("pyproject.toml"), "");
      assertThat(name(Languages.in(home.path()))).contains("python");
    }
  }

  @Test
  void procfileIsReadToTheFirstCommandThatIsKnown() throws IOException {
    try (var home = TempHome.create()) {
      Files.writeString(
          home.resolve("Procfile"),
          "# web: rails\n\nnonsense\nx:\nclock: ./tick\nworker:   python manage.py run\n");
      assertThat(name(Languages.in(home.path()))).contains("python");
      Files.write(home.resolve("Procfile"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
      assertThat(Languages.in(home.path())).isEmpty();
    }
  }

  @Test
  void folderThatIsNotThereSpeaksOfNothing() throws IOException {
    try (var home = TempHome.create()) {
      assertThat(Languages.in(home.resolve("none"))).isEmpty();
    }
  }
}
