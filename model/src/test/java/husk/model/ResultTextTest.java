package husk.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ResultTextTest {
  private final List<OutputItem> outputs = new ArrayList<>();
  private Optional<ErrorInfo> error = Optional.empty();
  private List<String> truncated = List.of();

  private ResultTextTest printed(String text) {
    outputs.add(OutputItem.stream("stdout", text));
    return this;
  }

  private ResultTextTest warned(String text) {
    outputs.add(OutputItem.stream("stderr", text));
    return this;
  }

  private ResultTextTest shown(String kind, Map<String, Object> data) {
    var plain = Optional.ofNullable((String) data.get("text/plain"));
    outputs.add(new OutputItem(kind, plain, Optional.empty(), data, Map.of()));
    return this;
  }

  private ResultTextTest raised(String ename, String evalue, String... traceback) {
    error = Optional.of(new ErrorInfo(ename, evalue, List.of(traceback)));
    return shown("error", Map.of("traceback", List.of(traceback)));
  }

  private ExecutionResult result() {
    return new ExecutionResult(
        "id",
        ResultStatus.SUCCESS,
        "",
        "",
        error,
        Optional.empty(),
        Optional.empty(),
        0,
        outputs,
        List.of(),
        Optional.empty(),
        List.of(),
        !truncated.isEmpty(),
        truncated,
        false,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void everythingStandsInTheOrderItCame() {
    printed("a").warned("b\n").shown("display_data", Map.of("text/plain", "<Figure>"));
    printed("c\n").shown("execute_result", Map.of("text/plain", "42"));

    assertThat(result().text()).isEqualTo("ab\n<Figure>\nc\n42");
  }

  @Test
  void errorComesLastWithItsTracebackAndOnce() {
    printed("a").raised("ValueError", "no", "Traceback", "ValueError: no");

    assertThat(result().text()).isEqualTo("a\nTraceback\nValueError: no");
  }

  @Test
  void errorThatIsNotTheTracebacksOwnIsAddedToIt() {
    raised("KeyboardInterrupt", "", "Traceback", "KeyboardInterrupt: ");
    error = Optional.of(new ErrorInfo("TimeoutError", "too long", List.of("KeyboardInterrupt")));

    assertThat(result().text()).isEqualTo("KeyboardInterrupt\nTimeoutError: too long");
  }

  @Test
  void earlierTracebacksStayWhereTheyWere() {
    shown("error", Map.of("traceback", List.of("first")));
    printed("on\n").raised("E", "x", "E: x");

    assertThat(result().text()).isEqualTo("first\non\nE: x");
  }

  @Test
  void outputsWithoutTextAreNamed() {
    shown("display_data", Map.of("image/png", "aGk="));
    shown("display_data", Map.of("text/markdown", "**b**"));

    assertThat(result().text()).isEqualTo("[image/png]\n**b**");
  }

  @Test
  void whatWasCutIsSaid() {
    printed("abc").raised("E", "x");
    truncated = List.of("output");

    assertThat(result().text()).isEqualTo("abc\n" + ResultText.MARK + "\nE: x");
  }

  @Test
  void withinALimitTheEndOfTheErrorIsKept() {
    printed("o".repeat(1000)).raised("E", "the end", "t".repeat(1000), "E: the end");

    var text = result().text(200);

    assertThat(text).hasSizeLessThanOrEqualTo(200).startsWith("ooo").endsWith("E: the end");
    assertThat(text).containsSubsequence(ResultText.MARK, ResultText.MARK);
    assertThat(result().text(10_000)).doesNotContain(ResultText.MARK);
  }

  @Test
  void nothingIsAnEmptyText() {
    assertThat(result().text()).isEmpty();
  }
}
