package husk.model;

import java.util.List;

/// An error raised by executed code. The traceback never carries colour codes.
public record ErrorInfo(String ename, String evalue, List<String> traceback) {
  public ErrorInfo {
    traceback = List.copyOf(traceback);
  }
}
