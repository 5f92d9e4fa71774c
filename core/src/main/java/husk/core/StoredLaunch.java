package husk.core;

import husk.kernels.Interpreter;
import husk.kernels.Launch;
import java.util.Optional;

/// What is kept to start a kernel again exactly as it was.
///
/// @param launch the process
/// @param interpreter whose warm parent starts it
/// @param language what its cells are written in
/// @param interruptMode `signal`, or `message` for kernels that want to be asked
/// @param startupCode run after every start
/// @param home the sandbox it lives in, unless it lives outside
public record StoredLaunch(
    Launch launch,
    Interpreter interpreter,
    String language,
    String interruptMode,
    Optional<String> startupCode,
    Optional<KernelHome> home) {

  /// Whether it is Husk's own kernel, with a journal and a persistent shell built in.
  boolean own() {
    return launch.forked();
  }

  boolean python() {
    return language.equals("python");
  }
}
