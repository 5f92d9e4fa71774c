package husk.model;

import java.util.List;

/// A process that code started.
///
/// @param argv its words; none for a plain fork of the kernel's process
/// @param running whether it still ran when the code had ended
public record StartedProcess(List<String> argv, boolean running) {
  public StartedProcess {
    argv = List.copyOf(argv);
  }
}
