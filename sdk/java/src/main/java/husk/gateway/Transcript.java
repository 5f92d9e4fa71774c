package husk.gateway;

import husk.kernels.Ansi;
import husk.model.OutputItem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a cell has put out so far. One thread fills it, others may ask for it at any time.
final class Transcript {
  private record Shown(OutputItem item, Optional<String> displayId, List<Path> images) {}

  private final ImageFiles files;
  private final StringBuilder text = new StringBuilder();
  private final List<Shown> shown = new ArrayList<>();
  private final StringBuilder run = new StringBuilder();
  private String runOf = "";

  Transcript(ImageFiles files) {
    this.files = files;
  }

  /// Adds what a stream said, and gives the piece of text that this adds.
  synchronized String stream(JsonNode content) {
    var said = content.path("text").asString("");
    var name = content.path("name").asString("").equals("stderr") ? "stderr" : "stdout";
    if (said.isEmpty()) {
      return "";
    }
    var piece = runOf.isEmpty() ? onNewLine(said) : said;
    if (!name.equals(runOf)) {
      endRun();
      runOf = name;
    }
    run.append(said);
    text.append(piece);
    return piece;
  }

  /// One stream's text up to here is one output.
  private void endRun() {
    if (!run.isEmpty()) {
      var item = OutputItem.stream(runOf, run.toString());
      shown.add(new Shown(item, Optional.empty(), List.of()));
      run.setLength(0);
    }
    runOf = "";
  }

  /// Adds a display or the last value, and gives the piece of text that this adds.
  synchronized String display(String kind, JsonNode content) throws IOException {
    endRun();
    var item = item(kind, content);
    var piece = item.text().filter(it -> !it.isEmpty()).map(this::onNewLine).orElse("");
    text.append(piece);
    shown.add(new Shown(item, displayId(content), files.save(item.data())));
    return piece;
  }

  /// Exchanges what was displayed under an id; text that was given stays given.
  synchronized void update(JsonNode content) throws IOException {
    var id = displayId(content);
    if (id.isPresent() && shown.stream().anyMatch(it -> it.displayId.equals(id))) {
      var item = item("display_data", content);
      var changed = new Shown(item, id, files.save(item.data()));
      shown.replaceAll(it -> it.displayId.equals(id) ? changed : it);
    }
  }

  private static OutputItem item(String kind, JsonNode content) {
    var data = map(content.path("data"));
    var plain =
        data.get("text/plain") instanceof String text
            ? Optional.of(Ansi.strip(text))
            : Optional.<String>empty();
    return new OutputItem(kind, plain, Optional.empty(), data, map(content.path("metadata")));
  }

  private static Map<String, Object> map(JsonNode node) {
    return node.isObject() ? Json.map(node) : Map.of();
  }

  private static Optional<String> displayId(JsonNode content) {
    return content.path("transient").path("display_id").asStringOpt();
  }

  /// What is displayed stands on lines of its own.
  private String onNewLine(String part) {
    return text.isEmpty() || text.charAt(text.length() - 1) == '\n' ? part : "\n" + part;
  }

  synchronized CellResult result() {
    var runOn = runOf;
    endRun();
    runOf = runOn;
    return new CellResult(
        text.isEmpty() ? Optional.empty() : Optional.of(text.toString()),
        shown.stream().flatMap(it -> it.images.stream()).distinct().toList(),
        shown.stream().map(Shown::item).toList());
  }
}
