package husk.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecutionEvent;
import husk.model.OutputItem;
import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A kernel may say what it likes: it is neither the end of its line nor of this process's memory.
final class HostileKernelTest {
  private static final int ROOM = 2000;

  private final Cell cell =
      new Cell("id", new OutputLimits(100, ROOM, 1000), ExecutionEvent.Listener.NONE);
  private final Outputs outputs = new Outputs(new OutputLimits(100, ROOM, 1000));

  private void say(String type, String content) {
    cell.accept(type, Json.tree(content.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          display_data        | {"data":{"text/plain":"x"}}
          display_data        | {"metadata":{}}
          display_data        | {"data":null,"metadata":[]}
          execute_result      | {"data":["x"],"metadata":{}}
          update_display_data | {"transient":{"display_id":"d"}}
          update_display_data | {"transient":{"display_id":{}},"data":7}
          stream              | {"name":{},"text":["x"]}
          error               | {"ename":{},"evalue":[],"traceback":[null,{},[]]}
          error               | {"traceback":"x"}
          clear_output        | {"wait":{}}
          status              | {"execution_state":[]}
          """)
  void anythingOfTheWrongKindIsTakenForNothing(String type, String content) {
    say(type, content);
    say("stream", "{\"name\":\"stdout\",\"text\":\"after\"}");
    assertThat(cell.gathered().stdout()).isEqualTo("after");
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999999", "1e300", "\"1\"", "{}", "1.5"})
  void aCountThatIsNoneIsNoCount(String count) {
    cell.answer(
        Json.tree(
            ("{\"status\":\"ok\",\"execution_count\":" + count + "}")
                .getBytes(StandardCharsets.UTF_8)));
    assertThat(cell.executionCount()).isEmpty();
    assertThat(cell.replyStatus()).isEqualTo("ok");
  }

  @Test
  void thereAreTwoStreamsWhateverTheirNames() {
    say("stream", "{\"name\":\"%s\",\"text\":\"a\"}".formatted("n".repeat(500)));
    say("stream", "{\"name\":\"m\",\"text\":\"b\"}");
    assertThat(cell.gathered().items()).containsExactly(OutputItem.stream("stdout", "ab"));
  }

  private void display(Map<String, Object> data, Optional<String> id) {
    outputs.display("display_data", data, Map.of(), id);
  }

  private long kept() {
    return outputs.items().stream().mapToLong(item -> Sizes.of(item.data())).sum();
  }

  @Test
  void namesAndTextsOfDisplaysTakeOfTheRoomToo() {
    for (int i = 0; i < 100; i++) {
      display(Map.of("k".repeat(90) + i, 1), Optional.empty());
      display(Map.of("text/plain", "t".repeat(90)), Optional.empty());
    }
    // Each display may still say, in a few words, that something is missing.
    assertThat(kept()).isLessThan(ROOM + 200 * 50);
    assertThat(outputs.truncatedFields()).contains("outputs");
  }

  @Test
  void idsThatFillTheRoomAreForgotten() {
    var id = "i".repeat(ROOM + 1);
    display(Map.of("text/plain", "x"), Optional.of(id));
    outputs.update(id, Map.of("text/plain", "y"), Map.of());
    assertThat(outputs.items().getFirst().text()).contains("x");
  }

  @Test
  void errorsWithoutEndAreCountedOutAndTheLastIsKnown() {
    for (int i = 0; i < 100; i++) {
      outputs.error("E" + i, "v".repeat(90), List.of("t".repeat(90)));
    }
    assertThat(kept()).isLessThanOrEqualTo(ROOM);
    assertThat(outputs.error().orElseThrow().ename()).isEqualTo("E99");
    assertThat(outputs.truncatedFields()).contains("outputs");
  }

  @Test
  void allOfATextIsWhatThereIsRoomFor() {
    var all = new Outputs(OutputLimits.of(0));
    var piece = "x".repeat(1 << 20);
    for (int i = 0; i <= OutputLimits.MOST_CHARACTERS >> 20; i++) {
      all.stream("stdout", piece);
    }
    assertThat(all.stdout()).hasSize(OutputLimits.MOST_CHARACTERS).endsWith(BoundedText.MARKER);
    assertThat(all.truncatedFields()).containsExactly("output");
  }

  @Test
  void aMessageOfManyFramesIsNoLargerThanOneOfOne() {
    var memory = new LineMemory(10 << 20);
    try {
      assertThat(memory.admit(6 << 20)).isTrue();
      assertThat(memory.admit(6 << 20)).isFalse();
      memory.release();
      assertThat(memory.admit(6 << 20)).isTrue();
    } finally {
      memory.release();
    }
  }
}
