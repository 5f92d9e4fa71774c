package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Chart;
import husk.model.ChartElement;
import husk.model.ExecutionResult;
import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.Requirements;
import husk.wire.Json;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Results as agents want them, from a real kernel.
@ExtendWith(LeakDetector.class)
final class RichResultsTest {
  private CoreHost host;

  @BeforeEach
  void open() {
    host = new CoreHost();
  }

  @AfterEach
  void close() {
    host.close();
  }

  private static ExecutionResult sentAsJson(ExecutionResult result) {
    return Json.read(Json.bytes(result), ExecutionResult.class);
  }

  @Test
  void textHoldsEverythingInOrderAndTheTracebackLast() {
    var result =
        host.run("k", "import sys\nprint('a')\nprint('b', file=sys.stderr)\ndisplay(3)\n1/0");

    assertThat(result.text())
        .startsWith("a\nb\n3\n")
        .endsWith("ZeroDivisionError: division by zero")
        .doesNotContain("\u001b");
  }

  @Test
  void textOfATimeoutSaysSoAtTheEnd() {
    var result = host.run("k", "print('begun')\nwhile True: pass", Duration.ofSeconds(1));

    assertThat(result.text()).startsWith("begun\n").contains("TimeoutError: the code ran longer");
  }

  @Test
  void dataFramesAreGivenAsData() {
    Requirements.need(host.run("k", "import pandas").ok(), "a Python with pandas");
    var result =
        sentAsJson(host.run("k", "pandas.DataFrame({'a': [1, None], 'b': [10 ** 20, -1]})"));

    var frame = result.dataFrames().getFirst();
    assertThat(frame.fields()).extracting(it -> it.name()).containsExactly("index", "a", "b");
    assertThat(frame.rows().getFirst().get("b")).hasToString("100000000000000000000");
    assertThat(frame.rows().getLast().get("a")).isNull();
    assertThat(frame.totalRows()).isEqualTo(2);
    assertThat(Json.MAPPER.valueToTree(result).propertyNames())
        .doesNotContain("text", "data_frames", "charts");
  }

  @Test
  void chartsAreGivenAsPointsBesideTheirPictures() {
    Requirements.need(host.run("k", "import matplotlib").ok(), "a Python with matplotlib");
    var result =
        sentAsJson(
            host.run("k", "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.title('T');"));

    var chart = result.charts().getFirst();
    assertThat(chart.type()).isEqualTo(Chart.Type.LINE);
    assertThat(chart.title()).contains("T");
    var series = (ChartElement.Points) chart.elements().getFirst();
    assertThat(series.points())
        .containsExactly(new ChartElement.Point(0.0, 1.0), new ChartElement.Point(1.0, 2.0));
    assertThat(result.images().getFirst().bytes()).startsWith(0x89, 'P', 'N', 'G');
  }

  @Test
  void variablesOfTheCallersChoiceReachItsKernels() {
    host.variables.put(KernelVariables.VARIABLE, "{\"A\": \"x y\", \"B\": \"\"}");

    assertThat(host.run("k", "import os; os.environ['A'], os.environ['B']").returnValue())
        .contains("('x y', '')");
  }

  @Test
  void variablesThatAreNoObjectOfTextsAreRefusedWithoutBeingShown() {
    for (var wrong : new String[] {"secret", "[\"secret\"]", "{\"A\": 1}", "{\"A=secret"}) {
      host.variables.put(KernelVariables.VARIABLE, wrong);
      assertThatThrownBy(() -> host.kernel("k"))
          .isInstanceOf(Problem.class)
          .hasMessageContaining(KernelVariables.VARIABLE)
          .hasMessageNotContaining("secret");
    }
  }
}
