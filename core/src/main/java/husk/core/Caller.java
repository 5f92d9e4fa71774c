package husk.core;

import java.util.Map;
import java.util.Optional;

/// Who asks: what a call inherits from the process that made it.
///
/// @param cwd its directory
/// @param environment its allow-listed variables, which new kernels get
/// @param variables its `HUSK_*` and `KERNELBOX_*` variables, and those that say where Jupyter
///   looks for kernelspecs
public record Caller(
    Optional<String> cwd, Map<String, String> environment, Map<String, String> variables) {

  public static final Caller UNKNOWN = new Caller(Optional.empty(), Map.of(), Map.of());

  public Caller {
    environment = Map.copyOf(environment);
    variables = Map.copyOf(variables);
  }

  /// This process as a caller.
  public static Caller self() {
    var environment = System.getenv();
    var variables = new java.util.TreeMap<String, String>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith("HUSK_")
              || name.startsWith("KERNELBOX_")
              || name.startsWith("JUPYTER_")
              || name.equals("XDG_DATA_HOME")) {
            variables.put(name, value);
          }
        });
    return new Caller(
        Optional.of(System.getProperty("user.dir", "/")),
        husk.kernels.BaseEnvironment.of(environment),
        variables);
  }
}
