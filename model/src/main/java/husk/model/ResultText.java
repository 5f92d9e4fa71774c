package husk.model;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One text of all that an execution put out, in the order it came, with its error at the end.
///
/// It is made of the outputs that were kept, so it is as bounded as they are.
final class ResultText {
  static final String MARK = "...[truncated by husk]...";

  private final StringBuilder text = new StringBuilder();

  private ResultText() {}

  /// @param most characters; 0 for all. The error, which says most, gets up to half of them.
  static String of(ExecutionResult result, int most) {
    var shown = new ResultText();
    shown.outputs(withoutLastError(result));
    var missing = List.of("output", "stderr", "outputs");
    if (result.truncatedFields().stream().anyMatch(missing::contains)) {
      shown.onNewLine(MARK);
    }
    var error = result.error().map(ResultText::describe).orElse("");
    if (most > 0) {
      error = end(error, most / 2);
      shown.cut(most - error.length() - 1);
    }
    shown.onNewLine(error);
    return shown.text.toString();
  }

  /// What the result says was raised is told at the end, in its words.
  private static List<OutputItem> withoutLastError(ExecutionResult result) {
    var items = result.outputs();
    boolean told = !items.isEmpty() && items.getLast().kind().equals("error");
    return told && result.error().isPresent() ? items.subList(0, items.size() - 1) : items;
  }

  private void outputs(List<OutputItem> items) {
    boolean streaming = true;
    for (var item : items) {
      boolean stream = item.kind().equals("stream");
      if (stream && streaming) {
        text.append(item.text().orElse(""));
      } else {
        onNewLine(plain(item));
      }
      streaming = stream;
    }
  }

  private void onNewLine(String part) {
    if (!part.isEmpty() && !text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
      text.append('\n');
    }
    text.append(part);
  }

  private static String plain(OutputItem item) {
    if (item.kind().equals("error")) {
      return lines(item.data().get("traceback")).orElse(item.text().orElse(""));
    }
    return item.text().or(() -> markdown(item)).orElseGet(() -> named(item));
  }

  private static Optional<String> markdown(OutputItem item) {
    return item.data().get("text/markdown") instanceof String written
        ? Optional.of(written)
        : Optional.empty();
  }

  /// Something without a text of its own is named, so that its place is known.
  private static String named(OutputItem item) {
    return item.data().isEmpty() ? "" : "[" + String.join(", ", item.data().keySet()) + "]";
  }

  private static Optional<String> lines(@Nullable Object traceback) {
    return traceback instanceof List<?> list && !list.isEmpty()
        ? Optional.of(String.join("\n", list.stream().map(String::valueOf).toList()))
        : Optional.empty();
  }

  /// The traceback, and what was raised if the traceback does not end in it.
  private static String describe(ErrorInfo error) {
    var traceback = String.join("\n", error.traceback()).stripTrailing();
    var raised = error.ename() + ": " + error.evalue();
    if (traceback.isEmpty()) {
      return raised;
    }
    return traceback.contains(raised.stripTrailing()) ? traceback : traceback + "\n" + raised;
  }

  /// The last part: tracebacks say most at their end.
  private static String end(String text, int most) {
    int room = Math.max(0, most - MARK.length() - 1);
    return text.length() <= most ? text : MARK + "\n" + text.substring(text.length() - room);
  }

  private void cut(int most) {
    if (text.length() > most) {
      text.setLength(Math.max(0, most - MARK.length() - 1));
      onNewLine(MARK);
    }
  }
}
