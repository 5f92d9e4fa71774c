package husk.core;

import husk.kernels.Interpreter;
import husk.kernels.Launch;
import husk.kernels.ProcessTree;
import husk.model.KernelProcess;
import java.util.HashMap;
import java.util.Optional;

/// What is kept to start a kernel again exactly as it was.
///
/// @param launch the process
/// @param interpreter whose warm parent starts it
/// @param language what its cells are written in
/// @param interruptMode `signal`, or `message` for kernels that want to be asked
/// @param startupCode run after every start
/// @param home the sandbox it lives in, unless it lives outside
/// @param forkedFrom the kernel it was copied from, if it was
/// @param triedBy the process that only tries something in it, and takes it along when it ends
public record StoredLaunch(
    Launch launch,
    Interpreter interpreter,
    String language,
    String interruptMode,
    Optional<String> startupCode,
    Optional<KernelHome> home,
    Optional<String> forkedFrom,
    Optional<KernelProcess> triedBy) {

  /// The same for another kernel.
  StoredLaunch of(String kernelId, Places places) {
    var env = new HashMap<>(launch.env());
    env.put(ProcessTree.MARKER, kernelId);
    var its =
        new Launch(
            kernelId,
            places.connectionFile(kernelId),
            places.kernel(kernelId),
            launch.argv(),
            launch.cwd(),
            env,
            launch.liveState());
    return new StoredLaunch(
        its,
        interpreter,
        language,
        interruptMode,
        startupCode,
        home.map(h -> h.of(kernelId)),
        forkedFrom,
        triedBy);
  }

  /// The same for a copy of its kernel.
  StoredLaunch forkedAs(String kernelId, Places places, Optional<KernelProcess> tries) {
    var its = of(kernelId, places);
    return new StoredLaunch(
        its.launch,
        interpreter,
        language,
        interruptMode,
        startupCode,
        its.home,
        Optional.of(launch.kernelId()),
        tries);
  }

  /// Whether it is Husk's own kernel, with a journal and a persistent shell built in.
  boolean own() {
    return launch.forked();
  }

  boolean python() {
    return language.equals("python");
  }
}
