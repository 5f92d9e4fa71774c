package husk.core;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.toml.TomlMapper;

/// Finds the settings for a call: defaults, then `HOME/husk.toml`, then `husk.toml` in the caller's
/// directory, then the caller's variables. What it does not know it refuses, with a suggestion.
public final class SettingsResolver {
  private static final TomlMapper TOML = new TomlMapper();
  private static final Set<String> OTHER_VARIABLES =
      Set.of(
          "HUSK_DIST",
          "HUSK_DEBUG",
          "HUSK_TEST",
          "HUSK_TEST_PYTHON",
          "HUSK_KERNEL_ID",
          KernelVariables.VARIABLE,
          "HUSK_URL",
          "HUSK_CA_FILE");

  private final Path home;

  public SettingsResolver(Path home) {
    this.home = home;
  }

  public ResolvedSettings resolve(Caller caller) {
    var resolved = new ResolvedSettings();
    readFile(home.resolve("husk.toml"), resolved);
    caller.cwd().ifPresent(cwd -> readFile(Path.of(cwd).resolve("husk.toml"), resolved));
    readVariables(caller.variables(), resolved);
    return resolved;
  }

  private static void readVariables(Map<String, String> variables, ResolvedSettings resolved) {
    for (var key : SettingKey.values()) {
      for (var name : key.variables().reversed()) {
        var value = variables.get(name);
        if (value != null) {
          resolved.put(key, value, name);
        }
      }
    }
    variables.keySet().stream()
        .filter(SettingsResolver::unknown)
        .findFirst()
        .ifPresent(
            name -> {
              throw unknownName(
                  "variable",
                  name,
                  Arrays.stream(SettingKey.values()).map(k -> "HUSK_" + k).toList());
            });
  }

  private static boolean unknown(String variable) {
    return variable.startsWith("HUSK_")
        && !OTHER_VARIABLES.contains(variable)
        && Arrays.stream(SettingKey.values()).noneMatch(k -> k.variables().contains(variable));
  }

  private static void readFile(Path file, ResolvedSettings resolved) {
    if (!Files.isRegularFile(file)) {
      return;
    }
    try {
      var tree = TOML.readTree(Files.readAllBytes(file));
      for (var entry : tree.properties()) {
        if (ProjectFile.TABLES.contains(entry.getKey()) && !entry.getValue().isValueNode()) {
          continue;
        }
        if (!entry.getValue().isValueNode()) {
          throw unknownName("key in " + file, entry.getKey(), fileNames());
        }
        resolved.put(fileKey(entry.getKey(), file), entry.getValue().asString(), file.toString());
      }
    } catch (IOException | JacksonException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING, "cannot read `" + file + "`: " + e.getMessage())
          .causedBy(e);
    }
  }

  private static SettingKey fileKey(String name, Path file) {
    var key =
        SettingKey.byFileName(name)
            .orElseThrow(() -> unknownName("key in " + file, name, fileNames()));
    if (key.onlyFromEnvironment()) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "`" + name + "` cannot be set in `" + file + "`: it decides which daemon is asked",
          "set the variable " + key.variables().getFirst() + " instead");
    }
    return key;
  }

  private static List<String> fileNames() {
    return Arrays.stream(SettingKey.values()).map(SettingKey::fileName).toList();
  }

  private static Problem unknownName(String what, String name, List<String> known) {
    var nearest = known.stream().min(Comparator.comparingInt(k -> distance(k, name))).orElse("");
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "unknown " + what + ": `" + name + "`",
        "did you mean `" + nearest + "`?",
        "`husk config show` lists every setting");
  }

  /// How many letters have to change to turn one word into the other.
  private static int distance(String a, String b) {
    var row = new int[b.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), change);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
