package husk;

import husk.kernels.Ansi;
import husk.model.ExecutionEvent;
import husk.model.ExecutionResult;
import husk.model.OutputItem;
import java.util.HashMap;
import java.util.Map;

/// Tells a listener of an execution, and remembers how far it has been told, so that the rest can
/// come from the result if the daemon is lost on the way.
final class Hearing implements ExecutionEvent.Listener {
  private static final System.Logger LOG = System.getLogger("husk");

  private final ExecutionEvent.Listener listener;
  private final Map<String, Long> streamed = new HashMap<>();
  private long displays;
  private boolean clearBeforeNext;
  private boolean listening = true;

  Hearing(ExecutionEvent.Listener listener) {
    this.listener = listener;
  }

  /// Whether anybody listens at all.
  boolean wanted() {
    return !listener.equals(ExecutionEvent.Listener.NONE);
  }

  @Override
  public void on(ExecutionEvent event) {
    switch (event) {
      case ExecutionEvent.Stream(var name, var text) -> {
        clearIfAsked();
        streamed.merge(name, (long) Ansi.strip(text).length(), Long::sum);
      }
      case ExecutionEvent.Display _ -> {
        clearIfAsked();
        displays++;
      }
      case ExecutionEvent.Cleared(var onNextOutput) -> {
        clearBeforeNext = true;
        if (!onNextOutput) {
          clearIfAsked();
        }
      }
      case ExecutionEvent.Started _, ExecutionEvent.DisplayUpdated _, ExecutionEvent.Ended _ -> {}
    }
    tell(event);
  }

  /// A result holds nothing of what was cleared.
  private void clearIfAsked() {
    if (clearBeforeNext) {
      clearBeforeNext = false;
      streamed.clear();
      displays = 0;
    }
  }

  private void tell(ExecutionEvent event) {
    if (listening) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        listening = false;
        LOG.log(System.Logger.Level.WARNING, "a listener failed and is not told again", e);
      }
    }
  }

  /// Tells what has not been heard yet of an execution that has ended.
  void catchUp(ExecutionResult result) {
    var known = new HashMap<>(streamed);
    long shown = displays;
    for (var item : result.outputs()) {
      if (item.kind().equals("stream")) {
        catchUp(item, known);
      } else if (!item.kind().equals("error") && shown-- <= 0) {
        tell(new ExecutionEvent.Display(item));
      }
    }
    tell(new ExecutionEvent.Ended(result));
  }

  private void catchUp(OutputItem stream, Map<String, Long> known) {
    String name = stream.name().orElse("stdout");
    String text = stream.text().orElse("");
    long heard = Math.min(known.getOrDefault(name, 0L), text.length());
    known.merge(name, -heard, Long::sum);
    if (heard < text.length()) {
      tell(new ExecutionEvent.Stream(name, text.substring((int) heard)));
    }
  }
}
