package husk.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import husk.wire.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CellsTest {
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final Cells cells = new Cells(interrupted::countDown);

  private static Cell cell(Optional<Duration> limit) {
    return new Cell(new Transcript(new ImageFiles(Path.of("images"))), limit);
  }

  private void status(Cell cell, String state) {
    cells.hear(cell.id, "status", Json.MAPPER.createObjectNode().put("execution_state", state));
  }

  @Test
  void timeOfACellRunsThoughOneBeforeItWasNeverRepliedTo() throws Exception {
    var givenUp = cell(Optional.empty());
    cells.add(givenUp);
    cells.cancel(givenUp);
    status(givenUp, "busy");
    status(givenUp, "idle");
    var next = cell(Optional.of(Duration.ofMillis(50)));
    cells.add(next);
    status(next, "busy");

    assertThat(next.endsWithin(Duration.ofSeconds(60))).isTrue();
    assertThat(next.next())
        .isInstanceOfSatisfying(
            Cell.Event.Ended.class,
            ended -> assertThat(ended.outcome()).isInstanceOf(Outcome.TooLate.class));
    assertThat(cells.all()).doesNotContain(givenUp);
    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
