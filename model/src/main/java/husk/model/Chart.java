package husk.model;

import java.util.List;
import java.util.Optional;

/// A chart that an execution drew, as data. A figure of several subplots is as many charts.
///
/// @param type what kind of chart
/// @param legend the words of its legend
/// @param elements what was drawn in it
public record Chart(
    Type type,
    Optional<String> title,
    Optional<String> xLabel,
    Optional<String> yLabel,
    Optional<String> xScale,
    Optional<String> yScale,
    List<String> legend,
    List<ChartElement> elements) {

  /// The MIME type of a figure's charts.
  public static final String MIME = "application/vnd.husk.chart+json";

  /// Kinds of chart.
  public enum Type {
    LINE,
    SCATTER,
    BAR,
    PIE,
    BOX_AND_WHISKER,
    HISTOGRAM,
    IMAGE,
    UNKNOWN;

    /// The type of this name; [#UNKNOWN] for one that is not known here.
    static Type of(String name) {
      for (var type : values()) {
        if (type.name().equalsIgnoreCase(name)) {
          return type;
        }
      }
      return UNKNOWN;
    }
  }

  public Chart {
    legend = List.copyOf(legend);
    elements = List.copyOf(elements);
  }

  /// The charts of a figure among what was displayed.
  public static List<Chart> in(OutputItem item) {
    return Tree.in(item.data(), MIME)
        .map(figure -> figure.all("charts").stream().map(Chart::read).toList())
        .orElse(List.of());
  }

  private static Chart read(Tree chart) {
    return new Chart(
        Type.of(chart.text("type").orElse("")),
        chart.text("title"),
        chart.text("x_label"),
        chart.text("y_label"),
        chart.text("x_scale"),
        chart.text("y_scale"),
        chart.texts("legend"),
        chart.all("elements").stream().map(ChartElement::read).toList());
  }
}
