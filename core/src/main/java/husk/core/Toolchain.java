package husk.core;

import husk.core.Languages.Language;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The tools of one language, brought into a sandbox from wherever they are on this machine.
/// Sandboxes have what is installed for everybody; what somebody installed at home is shown too,
/// read-only, and nothing else from there.
final class Toolchain {
  private static final List<String> USUAL =
      List.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin");

  private final List<Path> ownPlaces;

  /// @param ownPlaces where Husk keeps its own things, which no sandbox may see
  Toolchain(List<Path> ownPlaces) {
    this.ownPlaces = ownPlaces;
  }

  /// The request with the tools that the command, the project's file or the folder ask for.
  SandboxRequest equip(
      SandboxRequest request,
      Optional<String> program,
      Optional<ProjectFile> project,
      Caller caller) {
    var language =
        program
            .flatMap(Languages::of)
            .or(() -> project.flatMap(ProjectFile::runtime).flatMap(Toolchain::require))
            .or(() -> folder(request, caller).flatMap(Languages::in));
    return language.map(found -> equip(request, found, caller)).orElse(request);
  }

  /// A project that names no language of ours, but an image's base, has none.
  private static Optional<Language> require(String runtime) {
    if (runtime.equals("base")) {
      return Optional.empty();
    }
    return Optional.of(
        Languages.named(runtime)
            .orElseThrow(
                () ->
                    new Problem(
                        Problem.Code.INVALID_SETTING,
                        "the project's file has the runtime `" + runtime + "`, which is unknown",
                        "use base, python, node, go, rust, ruby, java, c, dotnet, php, elixir,"
                            + " shell, lua or terraform")));
  }

  private static Optional<Path> folder(SandboxRequest request, Caller caller) {
    return request.dir().or(caller::cwd).map(Path::of).filter(Path::isAbsolute);
  }

  private SandboxRequest equip(SandboxRequest request, Language language, Caller caller) {
    var path = Optional.ofNullable(caller.environment().get("PATH"));
    var found =
        language.commands().stream()
            .flatMap(command -> Installations.find(command, path).stream())
            .filter(program -> !USUAL.contains(String.valueOf(program.getParent())))
            .filter(program -> ownPlaces.stream().noneMatch(program::startsWith))
            .toList();
    var seen =
        found.stream()
            .flatMap(Toolchain::seen)
            .distinct()
            .filter(folder -> ownPlaces.stream().noneMatch(folder::startsWith))
            .filter(folder -> !isMounted(request, folder))
            .toList();
    return found.isEmpty()
        ? request
        : request.equipped(
            seen.stream().map(folder -> folder + ":" + folder + ":ro").toList(), variables(found));
  }

  private static boolean isMounted(SandboxRequest request, Path folder) {
    return request.mounts().stream().anyMatch(mount -> mount.contains(":" + folder));
  }

  private static Stream<Path> seen(Path program) {
    return Stream.concat(Installations.of(program), rustup(program).stream())
        .filter(path -> !path.toString().contains(":"));
  }

  /// Rust's programs at home only look up which of its versions to start.
  private static Optional<Path> rustup(Path program) {
    return Optional.ofNullable(program.getParent())
        .filter(bin -> bin.endsWith(".cargo/bin"))
        .map(bin -> bin.resolve("../../.rustup").normalize())
        .filter(Files::isDirectory);
  }

  private static Map<String, String> variables(List<Path> programs) {
    var variables = new TreeMap<String, String>();
    variables.put(
        "PATH",
        Stream.concat(
                programs.stream().map(program -> String.valueOf(program.getParent())).distinct(),
                USUAL.stream())
            .collect(Collectors.joining(":")));
    programs.stream()
        .flatMap(program -> rustup(program).stream())
        .findFirst()
        .ifPresent(home -> variables.put("RUSTUP_HOME", home.toString()));
    return variables;
  }
}
