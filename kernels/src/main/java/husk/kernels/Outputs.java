package husk.kernels;

import husk.model.ErrorInfo;
import husk.model.Image;
import husk.model.OutputItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What an execution has put out so far, in order, within its limits while it grows.
///
/// Not thread-safe: one thread fills it, and it is read when that thread is done.
final class Outputs {
  private final OutputLimits limits;
  private final BoundedText stdout;
  private final BoundedText stderr;
  private final List<Item> items = new ArrayList<>();
  private final TreeSet<String> truncated = new TreeSet<>();
  private long dataRoom;
  private boolean clearBeforeNext;
  private @Nullable String returnValue;
  private @Nullable ErrorInfo error;

  Outputs(OutputLimits limits) {
    this.limits = limits;
    this.stdout = new BoundedText(limits.characters());
    this.stderr = new BoundedText(limits.characters());
    this.dataRoom = limits.data();
  }

  /// An output that may still change: streams grow, displays are updated by their id.
  private static final class Item {
    final OutputItem fixed;
    final @Nullable StringBuilder growing;
    final Optional<String> displayId;

    Item(OutputItem fixed, @Nullable StringBuilder growing, Optional<String> displayId) {
      this.fixed = fixed;
      this.growing = growing;
      this.displayId = displayId;
    }

    OutputItem finished() {
      return growing == null
          ? fixed
          : OutputItem.stream(fixed.name().orElse("stdout"), Ansi.strip(growing.toString()));
    }
  }

  void stream(String name, String text) {
    clearIfAsked();
    boolean toStderr = name.equals("stderr");
    var part = (toStderr ? stderr : stdout).append(text);
    if (part.length() < text.length()) {
      truncated.add(toStderr ? "stderr" : "output");
    }
    if (!part.isEmpty()) {
      grow(name, part);
    }
  }

  private void grow(String name, String part) {
    var last = items.isEmpty() ? null : items.getLast();
    if (last != null && last.growing != null && last.fixed.name().equals(Optional.of(name))) {
      last.growing.append(part);
    } else {
      add(new Item(OutputItem.stream(name, ""), new StringBuilder(part), Optional.empty()));
    }
  }

  /// Adds a display or a result, and gives back what was kept of it.
  OutputItem display(
      String kind,
      Map<String, Object> data,
      Map<String, Object> metadata,
      Optional<String> displayId) {
    clearIfAsked();
    var item = bounded(kind, data, metadata);
    if (kind.equals("execute_result")) {
      returnValue = item.text().orElse("");
    }
    add(new Item(item, null, displayId.filter(this::fits)));
    return item;
  }

  OutputItem update(String displayId, Map<String, Object> data, Map<String, Object> metadata) {
    var item = bounded("display_data", data, metadata);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).displayId.filter(displayId::equals).isPresent()) {
        var kind = items.get(i).fixed.kind();
        var changed = new OutputItem(kind, item.text(), item.name(), item.data(), item.metadata());
        items.set(i, new Item(changed, null, Optional.of(displayId)));
      }
    }
    return item;
  }

  void error(String ename, String evalue, List<String> traceback) {
    clearIfAsked();
    error = boundedError(ename, evalue, traceback);
    var data = new LinkedHashMap<String, Object>();
    data.put("ename", error.ename());
    data.put("evalue", error.evalue());
    data.put("traceback", error.traceback());
    var text = Optional.of(cut(error.ename() + ": " + error.evalue(), "error"));
    if (fits(data)) {
      var item = new OutputItem("error", text, Optional.empty(), data, Map.of());
      add(new Item(item, null, Optional.empty()));
    } else {
      truncated.add("outputs");
    }
  }

  void clear(boolean onNextOutput) {
    clearBeforeNext = onNextOutput;
    if (!onNextOutput) {
      forgetAll();
    }
  }

  private void clearIfAsked() {
    if (clearBeforeNext) {
      clearBeforeNext = false;
      forgetAll();
    }
  }

  private void forgetAll() {
    items.clear();
    stdout.clear();
    stderr.clear();
    dataRoom = limits.data();
    truncated.clear();
  }

  private void add(Item item) {
    if (items.size() < limits.items()) {
      items.add(item);
    } else {
      truncated.add("outputs");
    }
  }

  private OutputItem bounded(String kind, Map<String, Object> data, Map<String, Object> metadata) {
    boolean result = kind.equals("execute_result");
    var kept = new LinkedHashMap<String, Object>();
    Optional<String> text = Optional.empty();
    for (var entry : data.entrySet()) {
      if (entry.getKey().equals("text/plain") && entry.getValue() instanceof String plain) {
        text = Optional.of(cut(plain, result ? "return_value" : "outputs"));
        if (!fits(text.get())) {
          truncated.add("outputs");
          text = Optional.of(BoundedText.MARKER.strip());
        }
        kept.put("text/plain", text.get());
      } else if (fits(entry)) {
        kept.put(entry.getKey(), entry.getValue());
      } else {
        truncated.add("outputs");
      }
    }
    return new OutputItem(kind, text, Optional.empty(), kept, fits(metadata) ? metadata : Map.of());
  }

  /// Takes the room for it, if there is that much.
  private boolean fits(Object value) {
    long size = Sizes.of(value);
    if (size > dataRoom) {
      return false;
    }
    dataRoom -= size;
    return true;
  }

  private ErrorInfo boundedError(String ename, String evalue, List<String> traceback) {
    var kept = new ArrayList<String>();
    var budget = new BoundedText(limits.characters());
    for (var line : traceback) {
      var part = budget.append(Ansi.strip(line));
      if (!part.isEmpty() || line.isEmpty()) {
        kept.add(part);
      }
    }
    if (budget.truncated()) {
      truncated.add("traceback");
      kept.add(BoundedText.MARKER.strip());
    }
    return new ErrorInfo(cut(ename, "error"), cut(evalue, "error"), kept);
  }

  private String cut(String text, String field) {
    var clean = Ansi.strip(text);
    if (BoundedText.exceeds(clean, limits.characters())) {
      truncated.add(field);
    }
    return BoundedText.cut(clean, limits.characters());
  }

  /// Notes that something of this field never arrived here.
  void missing(String field) {
    truncated.add(field);
  }

  String stdout() {
    return stdout.toString();
  }

  String stderr() {
    return stderr.toString();
  }

  Optional<String> returnValue() {
    return Optional.ofNullable(returnValue);
  }

  Optional<ErrorInfo> error() {
    return Optional.ofNullable(error);
  }

  List<OutputItem> items() {
    return items.stream().map(Item::finished).toList();
  }

  List<Image> images() {
    var images = new ArrayList<Image>();
    for (var item : items) {
      item.fixed
          .data()
          .forEach(
              (mime, data) -> {
                if (mime.startsWith("image/") && data instanceof String text) {
                  images.add(new Image(mime, text.strip()));
                }
              });
    }
    return images;
  }

  List<String> truncatedFields() {
    return List.copyOf(truncated);
  }
}
