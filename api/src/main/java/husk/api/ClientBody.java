package husk.api;

import husk.core.Caller;
import java.util.Map;
import java.util.Optional;

/// What Husk's own clients tell of the process they run in.
///
/// @param cwd its directory
/// @param environment its variables that new kernels inherit
/// @param variables its settings
public record ClientBody(
    Optional<String> cwd, Map<String, String> environment, Map<String, String> variables) {

  public Caller caller() {
    return new Caller(cwd, environment, variables);
  }
}
