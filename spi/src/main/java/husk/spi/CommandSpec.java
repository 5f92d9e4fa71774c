package husk.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One command to run in a sandbox. Its words are passed as they are; no shell sees them.
///
/// @param argv the program and its arguments
/// @param env variables beside those of the sandbox
/// @param cwd where it starts; the workspace if absent
/// @param input whether standard input will be sent; otherwise it is empty
/// @param window the terminal it gets; without one its streams stay apart
/// @param id by which it can be found again; made up if absent
/// @param detached whether it goes on by itself, its output kept
/// @param timeoutMs how long it may run; 0 for ever
/// @param last whether a temporary sandbox ends with it
public record CommandSpec(
    List<String> argv,
    Map<String, String> env,
    Optional<String> cwd,
    boolean input,
    Optional<Window> window,
    Optional<String> id,
    boolean detached,
    long timeoutMs,
    boolean last) {

  public CommandSpec {
    argv = List.copyOf(argv);
    env = Map.copyOf(env);
  }

  /// A terminal's size.
  public record Window(int rows, int columns) {}

  public static CommandSpec of(String... argv) {
    return of(List.of(argv));
  }

  public static CommandSpec of(List<String> argv) {
    return new CommandSpec(
        argv,
        Map.of(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        false,
        0,
        false);
  }

  public CommandSpec withEnv(Map<String, String> env) {
    return new CommandSpec(argv, env, cwd, input, window, id, detached, timeoutMs, last);
  }

  public CommandSpec in(String directory) {
    return new CommandSpec(
        argv, env, Optional.of(directory), input, window, id, detached, timeoutMs, last);
  }

  public CommandSpec withInput() {
    return new CommandSpec(argv, env, cwd, true, window, id, detached, timeoutMs, last);
  }

  public CommandSpec on(Window terminal) {
    return new CommandSpec(
        argv, env, cwd, true, Optional.of(terminal), id, detached, timeoutMs, last);
  }

  public CommandSpec named(String id) {
    return new CommandSpec(
        argv, env, cwd, input, window, Optional.of(id), detached, timeoutMs, last);
  }

  public CommandSpec detachedOnce() {
    return new CommandSpec(argv, env, cwd, input, window, id, true, timeoutMs, last);
  }

  public CommandSpec within(long milliseconds) {
    return new CommandSpec(argv, env, cwd, input, window, id, detached, milliseconds, last);
  }

  /// The command a temporary sandbox lives for.
  public CommandSpec asLast() {
    return new CommandSpec(argv, env, cwd, input, window, id, detached, timeoutMs, true);
  }
}
