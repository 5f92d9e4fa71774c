package husk.core;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Which language a command, a project's files or its `Procfile` speak of. The first in the table
/// that fits is it.
final class Languages {
  /// @param name as `[sandbox] runtime` spells it
  /// @param files names that projects in it have, some with a `*`
  /// @param commands programs it is worked with
  record Language(String name, List<String> files, List<String> commands) {}

  private static final List<Language> TABLE =
      List.of(
          language(
              "node",
              "package.json yarn.lock pnpm-lock.yaml package-lock.json bun.lockb",
              "node npm npx yarn pnpm bun tsx ts-node"),
          language(
              "rust", "Cargo.toml Cargo.lock", "cargo rustc rustup rustfmt clippy cargo-clippy"),
          language("go", "go.mod go.sum", "go gofmt"),
          language(
              "python",
              "pyproject.toml requirements.txt Pipfile setup.py setup.cfg poetry.lock uv.lock",
              "python python3 pip pip3 poetry uv pytest ruff"),
          language("ruby", "Gemfile Gemfile.lock *.gemspec", "ruby bundle rails gem bundler rake"),
          language(
              "java",
              "pom.xml build.gradle build.gradle.kts settings.gradle",
              "java javac mvn gradle gradlew"),
          language("kotlin", "*.kt", "kotlin kotlinc java"),
          language("dotnet", "*.csproj *.sln *.fsproj global.json", "dotnet csc fsc"),
          language(
              "c",
              "Makefile CMakeLists.txt configure *.c *.cpp *.h",
              "gcc g++ make cmake clang clang++ cc"),
          language("php", "composer.json composer.lock *.php", "php composer"),
          language("elixir", "mix.exs mix.lock", "elixir mix iex"),
          language("shell", "*.sh", "bash sh zsh ash"),
          language("lua", "*.lua .luacheckrc", "lua luajit luarocks"),
          language("terraform", "*.tf *.tfvars terraform.tfstate", "terraform"));

  /// Who has more files than that in one folder is not asked about all of them.
  private static final int LOOKED_AT = 2000;

  private Languages() {}

  private static Language language(String name, String files, String commands) {
    return new Language(name, words(files), words(commands));
  }

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  /// By name, as a project's file says it; some are called differently elsewhere.
  static Optional<Language> named(String name) {
    var usual =
        switch (name.toLowerCase(Locale.ROOT)) {
          case "javascript", "typescript", "nodejs" -> "node";
          case "golang" -> "go";
          case "cpp", "c++", "c-cpp" -> "c";
          case "csharp" -> "dotnet";
          case "bash" -> "shell";
          case String other -> other;
        };
    return TABLE.stream().filter(language -> language.name().equals(usual)).findFirst();
  }

  /// By the first word of a command.
  static Optional<Language> of(String program) {
    var name = program.substring(program.lastIndexOf('/') + 1);
    return TABLE.stream().filter(language -> language.commands().contains(name)).findFirst();
  }

  /// By what lies in a folder, and if that says nothing by its `Procfile`.
  static Optional<Language> in(Path folder) {
    var names = names(folder);
    return TABLE.stream()
        .filter(language -> language.files().stream().anyMatch(file -> has(names, file)))
        .findFirst()
        .or(() -> procfile(folder));
  }

  private static List<String> names(Path folder) {
    try (var found = Files.list(folder)) {
      return found.limit(LOOKED_AT).map(path -> String.valueOf(path.getFileName())).toList();
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private static boolean has(List<String> names, String file) {
    if (!file.contains("*")) {
      return names.contains(file);
    }
    var pattern = FileSystems.getDefault().getPathMatcher("glob:" + file);
    return names.stream().map(Path::of).anyMatch(pattern::matches);
  }

  /// The first line whose command is known decides.
  private static Optional<Language> procfile(Path folder) {
    try (var lines = Files.lines(folder.resolve("Procfile"))) {
      return lines
          .map(String::strip)
          .filter(line -> !line.startsWith("#") && line.contains(":"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip().split("\\s+", 2)[0])
          .flatMap(word -> word.isEmpty() ? Stream.of() : of(word).stream())
          .findFirst();
    } catch (IOException | java.io.UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }
}
