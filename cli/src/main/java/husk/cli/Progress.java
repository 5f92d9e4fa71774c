package husk.cli;

import husk.local.Frame;
import husk.local.Frames;
import husk.local.HttpAnswer;
import husk.local.JsonPeek;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Shows a stream of progress and then its result.
final class Progress {
  private final Terminal terminal;
  private final boolean json;

  Progress(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /// Progress goes to standard error where standard output is for JSON.
  int show(HttpAnswer answer) throws IOException {
    if (answer.failed()) {
      byte[] body = answer.body().readAllBytes();
      return problem(new String(body, StandardCharsets.UTF_8));
    }
    while (true) {
      var frame = Frames.read(answer.body());
      if (frame.isEmpty()) {
        throw new EOFException("the daemon stopped before it was done");
      }
      switch (frame.get().kind()) {
        case STDOUT -> line(frame.get());
        case STDERR -> terminal.printError(frame.get().bytes());
        case EVENT, HEARTBEAT -> {}
        case PROBLEM -> {
          return problem(frame.get().text());
        }
        case RESULT -> {
          return result(frame.get().text());
        }
      }
    }
  }

  private void line(Frame frame) {
    if (json) {
      terminal.printError(frame.bytes());
    } else {
      terminal.print(frame.bytes());
    }
  }

  private int result(String result) {
    if (json) {
      terminal.print(result + "\n");
    }
    return ExitCodes.ofStatus(JsonPeek.at(result, "status").orElse("success"));
  }

  private int problem(String text) {
    var problem = Problems.read(text);
    Problems.show(problem, json, terminal);
    return ExitCodes.of(problem.code());
  }
}
