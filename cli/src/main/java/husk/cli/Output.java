package husk.cli;

import husk.spi.CommandSpec;

/// Where a command's output goes.
interface Output {
  void write(boolean error, byte[] bytes);

  /// The terminal it is shown in has another size now.
  default void resized(CommandSpec.Window window) {}
}
