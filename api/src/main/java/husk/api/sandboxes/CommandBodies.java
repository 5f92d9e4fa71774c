package husk.api.sandboxes;

import husk.model.Problem;
import husk.spi.CommandSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The bodies of requests about commands, read; [SandboxForms] says what may stand in them.
final class CommandBodies {
  /// What the sandbox's agent takes in one message, with room for the rest of it.
  private static final int LONGEST = 1_000_000;

  private CommandBodies() {}

  record WindowBody(int rows, int columns) {
    CommandSpec.Window window() {
      return new CommandSpec.Window(rows, columns);
    }
  }

  record SignalBody(Optional<String> signal) {}

  record ExecBody(
      List<String> command,
      Map<String, String> env,
      Optional<String> workdir,
      Optional<String> stdin,
      Optional<String> stdinEncoding,
      boolean openStdin,
      Optional<WindowBody> terminal,
      Optional<Duration> timeout,
      Optional<String> id,
      boolean detached,
      boolean last) {

    CommandSpec spec() {
      requireSendable();
      var spec = CommandSpec.of(command).withEnv(env).within(milliseconds());
      if (workdir.isPresent()) {
        spec = spec.in(workdir.get());
      }
      if (terminal.isPresent()) {
        spec = spec.on(terminal.get().window());
      }
      return lasting(stdin.isPresent() || openStdin ? spec.withInput() : spec);
    }

    private CommandSpec lasting(CommandSpec spec) {
      var named = id.isPresent() ? spec.named(id.get()) : spec;
      var kept = detached ? named.detachedOnce() : named;
      return last ? kept.asLast() : kept;
    }

    private long milliseconds() {
      // What is less than a millisecond is still a limit.
      return timeout.map(limit -> limit.isZero() ? 0 : Math.max(1, limit.toMillis())).orElse(0L);
    }

    /// What standard input begins with.
    byte[] input() {
      var text = stdin.orElse("");
      if (!stdinEncoding.orElse("utf8").equals("base64")) {
        return text.getBytes(StandardCharsets.UTF_8);
      }
      try {
        return Base64.getMimeDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        throw refused("`stdin` is not Base64: " + e.getMessage()).causedBy(e);
      }
    }

    private void requireSendable() {
      if (command.isEmpty() || command.getFirst().isEmpty()) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST,
            "No command specified",
            "send the program and its arguments as a list in `command`");
      }
      if (words().anyMatch(word -> word.indexOf('\0') >= 0)) {
        throw refused("a word of the command, a variable or the directory holds a NUL character");
      }
      if (words().mapToLong(CommandBodies::bytes).sum() > LONGEST) {
        throw new Problem(
            Problem.Code.TOO_LARGE,
            "the command and its variables are longer than " + LONGEST + " bytes",
            "write the data to a file inside, or send it as `stdin`");
      }
      env.keySet().stream()
          .filter(name -> name.isEmpty() || name.indexOf('=') >= 0)
          .findFirst()
          .ifPresent(
              name -> {
                throw refused("`" + name + "` cannot be a variable's name");
              });
    }

    private Stream<String> words() {
      return Stream.of(
              command.stream(),
              workdir.stream(),
              id.stream(),
              env.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()))
          .flatMap(words -> words);
    }
  }

  private static long bytes(String word) {
    return 8L + word.getBytes(StandardCharsets.UTF_8).length;
  }

  private static Problem refused(String why) {
    return new Problem(Problem.Code.INVALID_REQUEST, why);
  }

  record DirectoryBody(String path, Optional<Boolean> parents) {}

  record MoveBody(String from, String to) {}
}
