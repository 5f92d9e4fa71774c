package husk.model;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// How a new kernel is to be made. Whatever is left empty comes from the settings.
///
/// @param sessionName a second name to find it by
/// @param tags the caller's own labels
/// @param cwd the directory it starts in
/// @param env its environment variables, on top of the allow-listed ones
/// @param python an environment's name, a virtual environment's folder or an interpreter
/// @param kernel `husk`, or the name of a kernelspec
/// @param startupCode code run after every start; an empty string for none
/// @param idleTimeout how long it may idle before it is reaped; zero for ever
/// @param place where it lives
public record KernelOptions(
    Optional<String> sessionName,
    Map<String, String> tags,
    Optional<String> cwd,
    Map<String, String> env,
    Optional<String> python,
    Optional<String> kernel,
    Optional<String> startupCode,
    Optional<Duration> idleTimeout,
    KernelPlace place) {

  public static final KernelOptions NONE =
      new KernelOptions(
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          KernelPlace.ANYWHERE);

  public KernelOptions {
    tags = Map.copyOf(tags);
    env = Map.copyOf(env);
  }

  public KernelOptions inDirectory(String directory) {
    return new KernelOptions(
        sessionName,
        tags,
        Optional.of(directory),
        env,
        python,
        kernel,
        startupCode,
        idleTimeout,
        place);
  }

  public KernelOptions withEnv(Map<String, String> variables) {
    return new KernelOptions(
        sessionName, tags, cwd, variables, python, kernel, startupCode, idleTimeout, place);
  }

  public KernelOptions withTags(Map<String, String> labels) {
    return new KernelOptions(
        sessionName, labels, cwd, env, python, kernel, startupCode, idleTimeout, place);
  }

  public KernelOptions withPython(String interpreter) {
    return new KernelOptions(
        sessionName,
        tags,
        cwd,
        env,
        Optional.of(interpreter),
        kernel,
        startupCode,
        idleTimeout,
        place);
  }

  public KernelOptions withKernel(String kernelspec) {
    return new KernelOptions(
        sessionName,
        tags,
        cwd,
        env,
        python,
        Optional.of(kernelspec),
        startupCode,
        idleTimeout,
        place);
  }

  public KernelOptions withStartupCode(String code) {
    return new KernelOptions(
        sessionName, tags, cwd, env, python, kernel, Optional.of(code), idleTimeout, place);
  }

  public KernelOptions withIdleTimeout(Duration limit) {
    return new KernelOptions(
        sessionName, tags, cwd, env, python, kernel, startupCode, Optional.of(limit), place);
  }

  public KernelOptions at(KernelPlace home) {
    return new KernelOptions(
        sessionName, tags, cwd, env, python, kernel, startupCode, idleTimeout, home);
  }
}
