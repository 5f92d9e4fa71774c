package husk.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RichResultTest {
  private static OutputItem shown(String mime, Object data) {
    return new OutputItem(
        "display_data", Optional.empty(), Optional.empty(), Map.of(mime, data), Map.of());
  }

  private static List<Chart> charts(Map<String, Object> chart) {
    return Chart.in(shown(Chart.MIME, Map.of("version", 1, "charts", List.of(chart))));
  }

  private static ChartElement element(Map<String, Object> element) {
    var chart = charts(Map.of("type", "line", "elements", List.of(element))).getFirst();
    return chart.elements().getFirst();
  }

  @Test
  void dataFrameHasFieldsAndRowsWithGaps() {
    Map<String, @Nullable Object> row = new HashMap<>();
    row.put("index", 0);
    row.put("a", null);
    var resource =
        Map.of(
            "schema",
            Map.of(
                "fields",
                List.of(
                    Map.of("name", "index", "type", "integer"),
                    Map.of("name", "a", "type", "number")),
                "primaryKey",
                List.of("index")),
            "data",
            List.of(row),
            "truncated",
            true,
            "total_rows",
            9);

    var frame = DataFrame.in(shown(DataFrame.MIME, resource)).orElseThrow();

    assertThat(frame.fields()).containsExactly(field("index", "integer"), field("a", "number"));
    assertThat(frame.rows()).containsExactly(row);
    assertThat(frame.primaryKey()).containsExactly("index");
    assertThat(frame.truncated()).isTrue();
    assertThat(frame.totalRows()).isEqualTo(9);
  }

  private static DataFrame.Field field(String name, String type) {
    return new DataFrame.Field(name, type);
  }

  @Test
  void whatIsNotAsExpectedIsAbsent() {
    assertThat(DataFrame.in(shown(DataFrame.MIME, "no"))).isEmpty();
    assertThat(DataFrame.in(shown(DataFrame.MIME, Map.of("data", 1)))).isEmpty();
    var odd = Map.of("schema", 7, "data", List.of(1, Map.of("a", 2)), "total_rows", "x");
    assertThat(DataFrame.in(shown(DataFrame.MIME, odd)).orElseThrow().totalRows()).isEqualTo(1);
    assertThat(Chart.in(shown(Chart.MIME, Map.of("charts", "no")))).isEmpty();
    assertThat(charts(Map.of("type", "new kind")).getFirst().type()).isEqualTo(Chart.Type.UNKNOWN);
    assertThat(element(Map.of("label", "l"))).isEqualTo(new ChartElement.Other(Optional.of("l")));
    var points = (ChartElement.Points) element(Map.of("points", List.of(List.of(1), 2)));
    assertThat(points.points()).containsExactly(new ChartElement.Point(null, null));
  }

  @Test
  void chartHasItsAxesAndSeries() {
    var chart =
        charts(
                Map.of(
                    "type",
                    "box_and_whisker",
                    "title",
                    "T",
                    "x_label",
                    "x",
                    "legend",
                    List.of("l")))
            .getFirst();

    assertThat(chart.type()).isEqualTo(Chart.Type.BOX_AND_WHISKER);
    assertThat(chart.title()).contains("T");
    assertThat(chart.xLabel()).contains("x");
    assertThat(chart.yLabel()).isEmpty();
    assertThat(chart.legend()).containsExactly("l");
  }

  @Test
  void everyKindOfSeriesIsRead() {
    var points = Arrays.asList(List.of("2020-01-01", 1.5), Arrays.asList(2, null));
    assertThat(element(Map.of("label", "s", "points", points, "truncated", true)))
        .isEqualTo(
            new ChartElement.Points(
                Optional.of("s"),
                List.of(new ChartElement.Point("2020-01-01", 1.5), new ChartElement.Point(2, null)),
                true));
    assertThat(element(Map.of("bars", List.of(Map.of("label", "a", "value", 2)))))
        .isEqualTo(
            new ChartElement.Bars(Optional.empty(), List.of(new ChartElement.Bar("a", null, 2))));
    assertThat(element(Map.of("bars", List.of(Map.of("from", 0, "to", 1, "value", 2)))))
        .isEqualTo(new ChartElement.Bars(Optional.empty(), List.of(new ChartElement.Bar(0, 1, 2))));
    assertThat(element(Map.of("slices", List.of(Map.of("label", "p", "share", 0.25)))))
        .isEqualTo(
            new ChartElement.Slices(
                Optional.empty(), List.of(new ChartElement.Slice(Optional.of("p"), 0.25))));
    assertThat(element(Map.of("shape", List.of(2, 1), "rows", List.of(List.of(1), List.of(2)))))
        .isEqualTo(
            new ChartElement.Grid(
                Optional.empty(), List.of(2, 1), List.of(List.of(1), List.of(2))));
    var boxes = (ChartElement.Boxes) element(Map.of("boxes", List.of(Map.of("median", 3))));
    assertThat(boxes.boxes().getFirst().median()).isEqualTo(3);
  }

  @Test
  void imagesAreBytesWithTheEndingOfTheirKind() {
    assertThat(new Image("image/png", "aGVs\nbG8=").bytes()).asString().isEqualTo("hello");
    var svg = new Image("image/svg+xml", "<svg>ü</svg>");
    assertThat(svg.bytes()).isEqualTo("<svg>ü</svg>".getBytes(StandardCharsets.UTF_8));
    assertThat(svg.extension()).isEqualTo("svg");
    assertThat(new Image("image/jpeg", "").extension()).isEqualTo("jpg");
    assertThat(new Image("image/../../x", "").extension()).isEqualTo("img");
  }
}
