package husk;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecutionEvent;
import husk.model.ExecutionEvent.Display;
import husk.model.ExecutionEvent.Ended;
import husk.model.ExecutionEvent.Stream;
import husk.model.ExecutionResult;
import husk.model.OutputItem;
import husk.model.ResultStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a listener is told from the result, after the daemon was lost on the way.
class HearingTest {
  private static final OutputItem PICTURE =
      new OutputItem("display_data", Optional.of("p"), Optional.empty(), Map.of(), Map.of());

  private final List<ExecutionEvent> told = new ArrayList<>();
  private final Hearing hearing = new Hearing(told::add);

  @Test
  void restOfAStreamIsToldWhereItBrokeOff() {
    hearing.on(new Stream("stdout", "one t"));
    told.clear();

    var result = result(OutputItem.stream("stdout", "one two"));
    hearing.catchUp(result);

    assertThat(told).containsExactly(new Stream("stdout", "wo"), new Ended(result));
  }

  @Test
  void streamsAndDisplaysAreToldInTheirOrder() {
    hearing.on(new Stream("stdout", "a"));
    hearing.on(new Display(PICTURE));
    told.clear();

    var result =
        result(
            OutputItem.stream("stdout", "a"),
            PICTURE,
            OutputItem.stream("stderr", "b"),
            PICTURE,
            OutputItem.stream("stdout", "c"));
    hearing.catchUp(result);

    assertThat(told)
        .containsExactly(
            new Stream("stderr", "b"),
            new Display(PICTURE),
            new Stream("stdout", "c"),
            new Ended(result));
  }

  @Test
  void nothingIsToldTwice() {
    hearing.on(new Stream("stdout", "\u001b[31mred\u001b[0m and more than was kept"));
    hearing.on(new Display(PICTURE));
    told.clear();

    var result = result(OutputItem.stream("stdout", "red and"), PICTURE);
    hearing.catchUp(result);

    assertThat(told).containsExactly(new Ended(result));
  }

  @Test
  void whatWasClearedDoesNotCount() {
    hearing.on(new Stream("stdout", "draft"));
    hearing.on(new ExecutionEvent.Cleared(true));
    hearing.on(new Stream("stdout", "fi"));
    told.clear();

    var result = result(OutputItem.stream("stdout", "final"));
    hearing.catchUp(result);

    assertThat(told).containsExactly(new Stream("stdout", "nal"), new Ended(result));
  }

  private static ExecutionResult result(OutputItem... outputs) {
    return new ExecutionResult(
        "e",
        ResultStatus.SUCCESS,
        "",
        "",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        List.of(outputs),
        List.of(),
        Optional.empty(),
        List.of(),
        false,
        List.of(),
        false,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty());
  }
}
