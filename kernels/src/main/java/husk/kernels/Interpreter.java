package husk.kernels;

import java.nio.file.Path;
import java.util.List;

/// A Python that kernels can be forked from.
///
/// @param executable the interpreter
/// @param preload modules that its warm parent imports before the first kernel asks for them
public record Interpreter(Path executable, List<String> preload) {
  public Interpreter {
    preload = List.copyOf(preload);
  }
}
