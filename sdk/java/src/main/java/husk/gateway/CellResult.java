package husk.gateway;

import husk.model.Chart;
import husk.model.DataFrame;
import husk.model.OutputItem;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What code in a kernel put out.
///
/// @param text what it printed on both streams, and the plain text of what it displayed and of its
///   last value, in the order they came; empty if there was nothing
/// @param images the pictures it drew, saved as files
/// @param outputs everything, with every MIME type it came in
public record CellResult(Optional<String> text, List<Path> images, List<OutputItem> outputs) {
  public CellResult {
    images = List.copyOf(images);
    outputs = List.copyOf(outputs);
  }

  /// What it printed to standard output alone.
  public String stdout() {
    return stream("stdout");
  }

  /// What it printed to standard error alone.
  public String stderr() {
    return stream("stderr");
  }

  private String stream(String name) {
    return outputs.stream()
        .filter(item -> item.name().filter(name::equals).isPresent())
        .map(item -> item.text().orElse(""))
        .collect(Collectors.joining());
  }

  /// The plain text of its last value.
  public Optional<String> value() {
    return outputs.stream()
        .filter(item -> item.kind().equals("execute_result"))
        .reduce((_, last) -> last)
        .flatMap(OutputItem::text);
  }

  /// The data frames it displayed, as data.
  public List<DataFrame> dataFrames() {
    return outputs.stream().flatMap(item -> DataFrame.in(item).stream()).toList();
  }

  /// The charts it drew, as data.
  public List<Chart> charts() {
    return outputs.stream().flatMap(item -> Chart.in(item).stream()).toList();
  }
}
