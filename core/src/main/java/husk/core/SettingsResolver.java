package husk.core;

import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Widening;
import husk.model.Problem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.toml.TomlMapper;

/// Finds the settings for a call: defaults, then `HOME/husk.toml`, then `husk.toml` in the caller's
/// directory, then the caller's variables. What it does not know it refuses, with a suggestion.
///
/// The directory's file is the project's, not the user's: what is wider there than the rest says
/// takes effect only from a content that the user has trusted.
public final class SettingsResolver {
  private static final String FILE = "husk.toml";
  private static final Set<String> TABLES = ProjectKey.tables();
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
  private final TrustStore trust;
  private final SettingBearings bearings;

  public SettingsResolver(Path home) {
    this.home = home;
    this.trust = new TrustStore(home);
    this.bearings =
        new SettingBearings(name -> PythonEnvironments.isMade(home.resolve("python"), name));
  }

  public ResolvedSettings resolve(Caller caller) {
    var resolved = usersOwn();
    caller
        .cwd()
        .flatMap(cwd -> ProjectText.find(Path.of(cwd).resolve(FILE)))
        .filter(file -> !isUsersOwn(file.location()))
        .ifPresent(file -> apply(file, resolved, caller.variables()));
    readVariables(caller.variables(), resolved);
    return resolved;
  }

  /// What would be wider with a project's file than without it.
  List<Widening> widenings(ProjectText file, Caller caller) {
    var before = usersOwn();
    return read(file).entrySet().stream()
        .filter(entry -> !isSet(entry.getKey(), caller.variables()))
        .flatMap(entry -> wider(entry.getKey(), entry.getValue(), before))
        .toList();
  }

  private ResolvedSettings usersOwn() {
    var resolved = new ResolvedSettings();
    var file = home.resolve(FILE);
    ProjectText.find(file)
        .ifPresent(
            own -> read(own).forEach((key, value) -> resolved.put(key, value, file.toString())));
    return resolved;
  }

  /// Whoever is in Husk's own home has one file for both.
  private boolean isUsersOwn(Path location) {
    return location.equals(ProjectText.location(home.resolve(FILE)));
  }

  private void apply(ProjectText file, ResolvedSettings resolved, Map<String, String> variables) {
    var said = read(file);
    var wider =
        said.entrySet().stream()
            // A variable is the user's, and says otherwise anyway.
            .filter(entry -> !isSet(entry.getKey(), variables))
            .flatMap(entry -> wider(entry.getKey(), entry.getValue(), resolved))
            .toList();
    if (wider.isEmpty() || trust.accepts(file)) {
      said.forEach((key, value) -> resolved.put(key, value, file.location().toString()));
    } else {
      resolved.refuse(Untrusted.problem(file, wider, trust), wider);
    }
  }

  private static boolean isSet(SettingKey key, Map<String, String> variables) {
    return key.variables().stream().anyMatch(variables::containsKey);
  }

  private Stream<Widening> wider(SettingKey key, String value, ResolvedSettings yours) {
    var bearing = bearings.of(key);
    return bearing.wider().apply(value, yours.get(key).value()).stream()
        .map(wide -> Widening.of(key.fileName(), key.secret() ? "…" : wide, bearing.opens()));
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

  /// The settings in a file; its tables are [ProjectFile]'s.
  private static Map<SettingKey, String> read(ProjectText file) {
    var said = new EnumMap<SettingKey, String>(SettingKey.class);
    var where = file.location();
    try {
      for (var entry : TOML.readTree(file.text()).properties()) {
        if (TABLES.contains(entry.getKey()) && !entry.getValue().isValueNode()) {
          continue;
        }
        if (!entry.getValue().isValueNode()) {
          throw unknownName("key in " + where, entry.getKey(), fileNames());
        }
        said.put(fileKey(entry.getKey(), where), entry.getValue().asString());
      }
      return said;
    } catch (JacksonException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING, "cannot read `" + where + "`: " + e.getMessage())
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
