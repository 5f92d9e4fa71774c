package husk.gateway;

import husk.model.Ids;
import husk.model.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One piece of code on its way through a kernel: takes the messages about it, and hands out what
/// they say. It has ended when both its reply and its `idle` are here; they come in any order.
final class Cell {
  /// What whoever waits for the cell gets to hear.
  sealed interface Event {
    record Chunk(String text) implements Event {}

    record Ended(Outcome outcome) implements Event {}
  }

  final String id = Ids.fresh();
  private final Transcript transcript;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);

  private final Optional<Duration> limit;
  private @Nullable Outcome outcome;
  private @Nullable Outcome tooLate;
  private boolean clocked;
  private boolean running;
  private boolean unwanted;
  private boolean idle;
  private boolean replied;

  Cell(Transcript transcript, Optional<Duration> limit) {
    this.transcript = transcript;
    this.limit = limit;
  }

  /// Takes a message about this cell; says whether that was the last one.
  synchronized boolean accept(String type, JsonNode content) {
    try {
      switch (type) {
        case "status" -> status(content.path("execution_state").asString(""));
        case "stream" -> tell(transcript.stream(content));
        case "display_data", "execute_result" -> tell(transcript.display(type, content));
        case "update_display_data" -> transcript.update(content);
        case "error" -> outcome = Outcome.raised(content);
        case "execute_reply" -> reply(content);
        default -> {}
      }
    } catch (IOException e) {
      outcome = new Outcome.Failed(notSaved(e));
    }
    if (idle && replied) {
      end(Optional.empty());
    }
    return idle && replied;
  }

  private void status(String state) {
    running |= state.equals("busy");
    idle |= state.equals("idle");
  }

  private void reply(JsonNode content) {
    replied = true;
    var status = content.path("status").asString("ok");
    if (status.equals("error") && outcome == null) {
      outcome = Outcome.raised(content);
    } else if (!status.equals("ok") && outcome == null) {
      outcome =
          Outcome.raised("Aborted", "the kernel did not run it, because an earlier one failed");
    }
  }

  private void tell(String text) {
    if (!text.isEmpty()) {
      events.add(new Event.Chunk(text));
    }
  }

  /// Ends it, whatever may still come. False if it had ended before.
  synchronized boolean end(Optional<Outcome> how) {
    if (ended.getCount() == 0) {
      return false;
    }
    var well = outcome == null ? new Outcome.Well() : outcome;
    events.add(new Event.Ended(tooLate != null ? tooLate : how.orElse(well)));
    ended.countDown();
    return true;
  }

  /// Whether the reply has come: without it, it is not known how the code ended.
  synchronized boolean replied() {
    return replied;
  }

  /// How long it may run, to be asked for when its clock starts; empty if that has been done.
  synchronized Optional<Duration> takeLimit() {
    boolean first = !clocked;
    clocked = true;
    return first ? limit : Optional.empty();
  }

  /// Says that its time is up; whatever it does now, it ended too late.
  ///
  /// @return whether it has begun, so that it can be interrupted
  synchronized boolean expire() {
    tooLate = new Outcome.TooLate(limit.orElse(Duration.ZERO), running);
    return abandon();
  }

  /// Says that nobody wants it any more; one that is yet to begin is then stopped as it begins.
  ///
  /// @return whether it has begun, so that it can be interrupted
  synchronized boolean abandon() {
    unwanted = true;
    return running && !idle;
  }

  /// Whether nobody waits for it any more.
  synchronized boolean unwanted() {
    return unwanted;
  }

  /// Whether whoever waited for it was told its end; messages about it may still come.
  boolean isOver() {
    return ended.getCount() == 0;
  }

  boolean endsWithin(Duration time) throws InterruptedException {
    return ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  Event next() throws InterruptedException {
    return events.take();
  }

  CellResult soFar() {
    return transcript.result();
  }

  private static Problem notSaved(IOException e) {
    return new Problem(
            Problem.Code.STORE_FAILED,
            "a picture could not be saved: " + e,
            "choose another folder with `imagesDir`, or make room in this one")
        .causedBy(e);
  }
}
