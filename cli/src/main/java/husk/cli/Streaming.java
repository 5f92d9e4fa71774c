package husk.cli;

import husk.local.Frame;
import husk.local.Frames;
import husk.local.JsonPeek;
import husk.local.JsonText;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Shows an execution's output as it comes: raw for people and pipes, or one JSON event per line.
final class Streaming {
  private final Execution execution;
  private final Terminal terminal;
  private final boolean json;

  /// Bytes passed on so far, for the case that the rest has to come from the result.
  private long written;

  private long writtenErrors;

  /// The kind of display whose text comes next as if it were printed, or an empty string.
  private String display = "";

  private boolean valueShown;

  private final Optional<Images> images;

  /// @param images where images are saved, if they are
  Streaming(Execution execution, Terminal terminal, boolean json, Optional<Images> images) {
    this.execution = execution;
    this.terminal = terminal;
    this.json = json;
    this.images = images;
  }

  int run() {
    try (var cancellation = execution.cancelledAtEnd()) {
      try (var connection = execution.connect()) {
        var answer = execution.begin(connection, json ? "" : "?plain=1", Frames.MEDIA_TYPE);
        if (answer.failed()) {
          return problem(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        while (true) {
          var frame = Frames.read(answer.body());
          if (frame.isEmpty()) {
            throw new EOFException("the stream ended without a result");
          }
          int code = show(frame.get());
          if (code >= 0) {
            return code;
          }
        }
      } catch (IOException e) {
        return afterLoss(e);
      } catch (OutputClosed e) {
        cancellation.cancel();
        throw e;
      }
    }
  }

  /// Gives the exit code after the last frame, and -1 before.
  private int show(Frame frame) {
    switch (frame.kind()) {
      case STDOUT -> output("stdout", frame);
      case STDERR -> output("stderr", frame);
      case EVENT -> event(frame.text());
      case HEARTBEAT -> {}
      case RESULT -> {
        return result(frame.text());
      }
      case PROBLEM -> {
        return problem(frame.text());
      }
    }
    return -1;
  }

  private void event(String event) {
    if (json) {
      terminal.print(event + "\n");
    } else if (JsonPeek.at(event, "item", "text").isPresent()) {
      display = JsonPeek.at(event, "item", "kind").orElse("display_data");
    }
  }

  private void output(String name, Frame frame) {
    if (json) {
      var event = new JsonText().text("event", "stream").text("name", name);
      terminal.print(event.text("text", frame.text()) + "\n");
    } else if (name.equals("stdout")) {
      terminal.print(frame.bytes());
      if (display.isEmpty()) {
        written += frame.bytes().length;
      }
      valueShown |= display.equals("execute_result");
      display = "";
    } else {
      terminal.printError(frame.bytes());
      writtenErrors += frame.bytes().length;
    }
  }

  private int result(String result) {
    String status = JsonPeek.at(result, "status").orElse("success");
    if (json) {
      terminal.print(new JsonText().text("event", "ended").json("result", result.strip()) + "\n");
      return ExitCodes.ofStatus(status);
    }
    images.ifPresent(folder -> folder.save(result));
    if (!status.equals("success")) {
      String failure = Printable.lines(failure(result, status));
      terminal.printError(terminal.speaksToPerson() ? coloured(failure) : failure);
    }
    return ExitCodes.ofStatus(status);
  }

  private String coloured(String failure) {
    return terminal.colourErrors()
        ? "\u001b[31m" + failure.stripTrailing() + "\u001b[0m\n"
        : failure;
  }

  /// The traceback, or else how it ended. A shell command has said itself what is wrong.
  private static String failure(String result, String status) {
    var text = new StringBuilder();
    for (int i = 0; ; i++) {
      var line = JsonPeek.at(result, "error", "traceback", String.valueOf(i));
      if (line.isEmpty()) {
        break;
      }
      text.append(line.get().stripTrailing()).append('\n');
    }
    boolean shell = JsonPeek.at(result, "exit_code").isPresent();
    if (text.isEmpty() && !(shell && status.equals("error"))) {
      text.append("error: ");
      text.append(JsonPeek.at(result, "error", "evalue").orElse("the code did not succeed"));
      text.append(" (").append(status).append(")\n");
    }
    return text.toString();
  }

  private int problem(String text) {
    var problem = Problems.read(text);
    Problems.show(problem, json, terminal);
    return ExitCodes.of(problem.code());
  }

  /// What has not been shown yet comes from the result that the next daemon gives.
  private int afterLoss(IOException lost) {
    var reply = execution.afterLoss(lost);
    String result = reply.text();
    if (reply.answer().failed()) {
      return problem(result);
    }
    if (!json) {
      terminal.print(rest(bytes(result, "output"), written));
      terminal.printError(rest(bytes(result, "stderr"), writtenErrors));
      var value = JsonPeek.at(result, "return_value");
      if (!valueShown && value.isPresent()) {
        terminal.print(value.get() + "\n");
      }
    }
    return result(json ? oneLine(result) : result);
  }

  /// Pretty JSON has line breaks between values only; those within strings are escaped.
  private static String oneLine(String result) {
    return result.replace("\n", "");
  }

  private static byte[] bytes(String result, String field) {
    return JsonPeek.at(result, field).orElse("").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] rest(byte[] all, long shown) {
    return shown >= all.length ? new byte[0] : Arrays.copyOfRange(all, (int) shown, all.length);
  }
}
