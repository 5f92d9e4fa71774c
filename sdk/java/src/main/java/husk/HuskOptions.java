package husk;

import husk.core.Caller;
import husk.local.Environment;
import husk.wire.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// In whose place Husk is used: what it takes its configuration from.
///
/// @param environment variables such as `HUSK_HOME`, `HUSK_PYTHON` and `HUSK_DIST`, the folder Husk
///   is installed in; new kernels get the harmless ones among the others
/// @param directory where new kernels start, and where a `husk.toml` is looked for
public record HuskOptions(Map<String, String> environment, Path directory) {
  public HuskOptions {
    environment = Map.copyOf(environment);
    directory = directory.toAbsolutePath().normalize();
  }

  public static HuskOptions ofThisProcess() {
    return new HuskOptions(System.getenv(), Path.of(""));
  }

  /// The same with one variable set.
  public HuskOptions with(String variable, String value) {
    var changed = new HashMap<>(environment);
    changed.put(variable, value);
    return new HuskOptions(changed, directory);
  }

  public HuskOptions inDirectory(Path changed) {
    return new HuskOptions(environment, changed);
  }

  /// The same with `HUSK_DIST` set to where Husk is installed, if that can be found out.
  public HuskOptions located() {
    return new HuskOptions(Installation.locate(environment), directory);
  }

  /// What the daemon is told of the caller, as JSON.
  String told() {
    return Environment.ofCaller(environment, directory.toString()).toString();
  }

  /// The caller as the daemon would see it.
  Caller caller() {
    return Json.read(told(), Caller.class);
  }

  /// Without the variables, among which there may be secrets.
  @Override
  public String toString() {
    return "HuskOptions[" + environment.size() + " variables, directory=" + directory + "]";
  }
}
