package husk.api.jupyter;

import husk.core.Caller;
import husk.core.Service;
import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.model.Problem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Makes a kernel the way a Jupyter client asks for it.
///
/// @param spec the name of a kernelspec; empty for the default
/// @param path a folder, or a notebook in it, by which the kernel's directory is found
/// @param env its environment variables; `KERNEL_WORKING_DIR` names its directory
record NewKernel(Optional<String> spec, Optional<String> path, Map<String, String> env) {
  private static final String WORKING_DIR = "KERNEL_WORKING_DIR";

  KernelRecord make(Service core, Caller caller) {
    var options = KernelOptions.NONE.withKernel(SpecNames.kernel(spec)).withEnv(env);
    // Inside a sandbox the client's paths mean nothing.
    boolean outside = core.settings(caller).settings().backend().equals("host");
    var directory = outside ? directory(Path.of(caller.cwd().orElse("/"))) : Optional.<Path>empty();
    return core.create(
        Optional.empty(),
        directory.map(d -> options.inDirectory(d.toString())).orElse(options),
        caller);
  }

  /// A client may live on another machine: of a path that is not here, the part that is counts.
  private Optional<Path> directory(Path base) {
    return Optional.ofNullable(env.get(WORKING_DIR))
        .map(wanted -> base.resolve(valid(wanted)))
        .filter(Files::isDirectory)
        .or(() -> path.map(wanted -> existing(base, base.resolve(valid(relative(wanted))))));
  }

  /// Jupyter's paths begin at the server's root, with or without a slash.
  private static String relative(String wanted) {
    return Files.isDirectory(Path.of(valid(wanted).toString()))
        ? wanted
        : wanted.replaceFirst("^/+", "");
  }

  private static Path existing(Path base, Path wanted) {
    for (Path at = wanted.normalize(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at)) {
        return at;
      }
    }
    return base;
  }

  private static Path valid(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new Problem(
              Problem.Code.INVALID_REQUEST, "`" + e.getInput() + "` is no path: " + e.getReason())
          .causedBy(e);
    }
  }
}
