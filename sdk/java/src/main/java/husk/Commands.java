package husk;

import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.spi.CommandEvent;
import husk.spi.CommandSpec;
import husk.spi.RunningCommand;
import java.io.IOException;
import java.util.function.Consumer;

/// Sees commands to their end.
final class Commands {
  private Commands() {}

  /// Something asked of a sandbox.
  @FunctionalInterface
  interface Question<T> {
    T ask() throws IOException;
  }

  /// Something told to a sandbox.
  @FunctionalInterface
  interface Order {
    void give() throws IOException;
  }

  static <T> T ask(Question<T> question) {
    try {
      return question.ask();
    } catch (IOException e) {
      throw lost(e);
    }
  }

  static void tell(Order order) {
    try {
      order.give();
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private static Problem lost(IOException cause) {
    return new Problem(
            Problem.Code.SANDBOX_FAILED,
            "the line to the sandbox was lost: " + cause.getMessage(),
            "its `info()` says whether it still runs")
        .causedBy(cause);
  }

  static CommandResult toTheEnd(husk.spi.Sandbox sandbox, CommandSpec spec, byte[] input) {
    return collect(
        () -> {
          var command = sandbox.run(spec);
          if (spec.input()) {
            feed(command, input);
          }
          return command;
        });
  }

  /// On a thread of its own: a command that writes before it has read everything must be listened
  /// to meanwhile.
  private static void feed(RunningCommand command, byte[] input) {
    Thread.ofVirtual()
        .name("husk-stdin")
        .start(
            () -> {
              try {
                command.input(input, 0, input.length);
                command.endInput();
              } catch (IOException e) {
                // It has ended without reading all of it, as commands may.
              }
            });
  }

  static CommandResult collect(Question<RunningCommand> begun) {
    var output = new CollectedOutput();
    var end = read(begun, output);
    return output.result(end);
  }

  static CommandEnd stream(
      husk.spi.Sandbox sandbox, CommandSpec spec, Consumer<CommandEvent.Output> listener) {
    return read(() -> sandbox.run(spec), listener);
  }

  private static CommandEnd read(
      Question<RunningCommand> begun, Consumer<CommandEvent.Output> listener) {
    try (var command = begun.ask()) {
      while (true) {
        switch (command.next()) {
          case CommandEvent.Output piece -> listener.accept(piece);
          case CommandEvent.Ended ended -> {
            return ended.end();
          }
        }
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }
}
