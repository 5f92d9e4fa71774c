package husk.api.sandboxes;

import husk.model.Problem;
import husk.spi.CommandEnd;

/// Who is told of a command while it runs. Each method throws [CallerGone] when nobody listens.
interface CommandSink {
  void started(String id);

  void output(boolean error, byte[] bytes);

  /// Nothing, to show that the server is there.
  void pulse();

  /// The last word: how it ended.
  void ended(CommandEnd end);

  /// The last word: what went wrong.
  void problem(Problem problem);
}
