package husk.model;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A series of a chart.
///
/// Coordinates are numbers, texts (dates in ISO 8601, names of categories), or null for a gap.
public sealed interface ChartElement {

  /// What the series is called, if somebody gave it a name.
  Optional<String> label();

  /// Points of a line or of a cloud.
  ///
  /// @param truncated whether these are an even choice of more points
  record Points(Optional<String> label, List<Point> points, boolean truncated)
      implements ChartElement {}

  record Point(@Nullable Object x, @Nullable Object y) {}

  record Bars(Optional<String> label, List<Bar> bars) implements ChartElement {}

  /// One bar, standing or lying.
  ///
  /// @param at where it stands: a name, a number or a date; in a histogram where it begins
  /// @param until where it ends, in a histogram
  /// @param value how long it is
  record Bar(@Nullable Object at, @Nullable Object until, @Nullable Object value) {}

  record Slices(Optional<String> label, List<Slice> slices) implements ChartElement {}

  /// One slice of a pie.
  ///
  /// @param share of the whole, from 0 to 1
  record Slice(Optional<String> label, double share) {}

  record Boxes(Optional<String> label, List<Box> boxes) implements ChartElement {}

  record Box(
      @Nullable Object at,
      @Nullable Object min,
      @Nullable Object firstQuartile,
      @Nullable Object median,
      @Nullable Object thirdQuartile,
      @Nullable Object max,
      List<?> outliers) {}

  /// A picture or heat map.
  ///
  /// @param shape rows, columns, and channels of colour if there are such
  /// @param rows the values; none if there are too many
  record Grid(Optional<String> label, List<Integer> shape, List<?> rows) implements ChartElement {}

  /// Something that this version does not know.
  record Other(Optional<String> label) implements ChartElement {}

  /// Reads one; what is missing in it is absent.
  static ChartElement read(Tree element) {
    var label = element.text("label");
    if (element.has("points")) {
      var points = element.lists("points").stream().map(ChartElement::point).toList();
      return new Points(label, points, element.flag("truncated"));
    }
    if (element.has("bars")) {
      return new Bars(label, element.all("bars").stream().map(ChartElement::bar).toList());
    }
    if (element.has("slices")) {
      return new Slices(label, element.all("slices").stream().map(ChartElement::slice).toList());
    }
    if (element.has("boxes")) {
      return new Boxes(label, element.all("boxes").stream().map(ChartElement::box).toList());
    }
    if (element.has("shape")) {
      var shape = element.numbers("shape").stream().map(Double::intValue).toList();
      return new Grid(label, shape, element.lists("rows"));
    }
    return new Other(label);
  }

  private static Point point(List<?> pair) {
    return pair.size() == 2 ? new Point(pair.get(0), pair.get(1)) : new Point(null, null);
  }

  private static Bar bar(Tree bar) {
    var at = bar.has("from") ? bar.value("from") : bar.value("label");
    return new Bar(at, bar.value("to"), bar.value("value"));
  }

  private static Slice slice(Tree slice) {
    return new Slice(slice.text("label"), slice.number("share").orElse(0.0));
  }

  private static Box box(Tree box) {
    return new Box(
        box.value("label"),
        box.value("min"),
        box.value("first_quartile"),
        box.value("median"),
        box.value("third_quartile"),
        box.value("max"),
        box.value("outliers") instanceof List<?> list ? list : List.of());
  }
}
