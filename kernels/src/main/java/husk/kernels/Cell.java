package husk.kernels;

import husk.model.ExecutionEvent;
import husk.model.OutputItem;
import husk.wire.Json;
import husk.wire.Message;
import husk.wire.MessageCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One execution in progress: gathers what it puts out and knows when it has begun and ended.
///
/// It has ended when the kernel has both answered and broadcast that it is idle again; the two
/// travel on different channels, and either may be first.
public final class Cell implements KernelClient.Conversation {
  /// The MIME type in which the persistent shell reports a command's exit code.
  private static final String EXIT_CODE = "application/vnd.husk.exit-code+json";

  private final String executionId;
  private final Outputs outputs;
  private final ExecutionEvent.Listener listener;
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch idle = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private volatile boolean kernelGone;
  private volatile long beganNanos;
  private volatile long endedNanos;
  private volatile @Nullable JsonNode reply;
  private long measuredMillis = -1;
  private @Nullable Integer exitCode;
  private boolean listening = true;
  private int heard;

  public Cell(String executionId, OutputLimits limits, ExecutionEvent.Listener listener) {
    this.executionId = executionId;
    this.outputs = new Outputs(limits);
    this.listener = listener;
  }

  @Override
  public void broadcast(Message message) {
    if (LastWords.counts(message.type())) {
      heard++;
    }
    accept(message.type(), message.content());
  }

  /// How many outputs were heard of it, as the kernel counts them in its last words.
  int heard() {
    return heard;
  }

  @Override
  public void reply(Message message) {
    answer(message.content());
  }

  @Override
  public void gone() {
    kernelGone = true;
    end();
    began.countDown();
    idle.countDown();
    answered.countDown();
  }

  /// Takes one broadcast, live or from a kernel's journal.
  void accept(String type, JsonNode content) {
    if (content.has(MessageCodec.OVERSIZED)) {
      oversized(type);
      return;
    }
    switch (type) {
      case "status" -> status(content.path("execution_state").asString(""));
      case "execute_input" -> begin();
      case "stream" -> stream(content);
      case "display_data", "execute_result" -> display(type, content);
      case "update_display_data" -> update(content);
      case "clear_output" -> clear(content.path("wait").asBoolean(false));
      case "error" ->
          outputs.error(text(content, "ename"), text(content, "evalue"), lines(content));
      default -> {
        // comm messages and the like concern other clients
      }
    }
  }

  private void oversized(String type) {
    switch (type) {
      case "execute_result" -> outputs.missing("return_value");
      case "error" -> {
        outputs.error("OversizedError", "the error was too large to be kept", List.of());
        outputs.missing("error");
      }
      default -> outputs.missing("outputs");
    }
  }

  /// Notes that it put out more than anybody remembers.
  void incomplete() {
    outputs.missing("output");
    outputs.missing("outputs");
  }

  /// Takes the kernel's answer.
  void answer(JsonNode content) {
    reply = content;
    answered.countDown();
  }

  private void status(String state) {
    if (state.equals("busy")) {
      begin();
    } else if (state.equals("idle")) {
      end();
      idle.countDown();
    }
  }

  private void begin() {
    if (began.getCount() > 0) {
      beganNanos = System.nanoTime();
      began.countDown();
      tell(new ExecutionEvent.Started(executionId, Instant.now()));
    }
  }

  private void end() {
    if (endedNanos == 0) {
      endedNanos = System.nanoTime();
    }
  }

  private void stream(JsonNode content) {
    var name = text(content, "name").equals("stderr") ? "stderr" : "stdout"; // there is no third
    var written = text(content, "text");
    outputs.stream(name, written);
    tell(new ExecutionEvent.Stream(name, written));
  }

  private void display(String kind, JsonNode content) {
    var data = map(content, "data");
    if (data.remove(EXIT_CODE) instanceof Number code) {
      exitCode = code.intValue();
      if (data.isEmpty()) {
        return;
      }
    }
    tell(
        new ExecutionEvent.Display(
            outputs.display(kind, data, map(content, "metadata"), id(content))));
  }

  private void update(JsonNode content) {
    id(content)
        .ifPresent(
            displayId -> {
              OutputItem item =
                  outputs.update(displayId, map(content, "data"), map(content, "metadata"));
              tell(new ExecutionEvent.DisplayUpdated(displayId, item));
            });
  }

  private void clear(boolean onNextOutput) {
    outputs.clear(onNextOutput);
    tell(new ExecutionEvent.Cleared(onNextOutput));
  }

  /// A listener that fails is not told again; the execution goes on.
  private void tell(ExecutionEvent event) {
    if (listening) {
      try {
        listener.on(event);
      } catch (RuntimeException e) {
        listening = false;
      }
    }
  }

  private static Optional<String> id(JsonNode content) {
    return Optional.of(content.path("transient").path("display_id").asString(""))
        .filter(id -> !id.isEmpty());
  }

  /// Not every kernel writes it where there is nothing to say.
  private static Map<String, Object> map(JsonNode content, String field) {
    var value = content.path(field);
    return value.isObject() ? Json.map(value) : new LinkedHashMap<>();
  }

  private static String text(JsonNode content, String field) {
    return content.path(field).asString("");
  }

  private static List<String> lines(JsonNode content) {
    var lines = new ArrayList<String>();
    content.path("traceback").forEach(line -> lines.add(line.asString("")));
    return lines;
  }

  /// Waits until it begins to run, which may be long after it was sent.
  public void awaitBegin() throws InterruptedException {
    began.await();
  }

  /// Waits until it has ended; false when `limit` passes first.
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    return idle.await(limit.toNanos(), TimeUnit.NANOSECONDS)
        && answered.await(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }

  /// Whether the kernel went away before it ended.
  public boolean kernelGone() {
    return kernelGone;
  }

  public boolean hasBegun() {
    return began.getCount() == 0 && !(kernelGone && beganNanos == 0);
  }

  public long beganNanos() {
    return beganNanos;
  }

  /// Takes how long it ran from somebody who was there.
  void lasted(Duration measured) {
    measuredMillis = measured.toMillis();
  }

  public long durationMillis() {
    if (measuredMillis >= 0) {
      return measuredMillis;
    }
    if (beganNanos == 0) {
      return 0;
    }
    long end = endedNanos == 0 ? System.nanoTime() : endedNanos;
    return Math.max(0, (end - beganNanos) / 1_000_000);
  }

  /// `ok`, `error` or `aborted`; empty when the kernel never answered.
  public String replyStatus() {
    var answer = reply;
    if (answer != null && answer.has(MessageCodec.OVERSIZED)) {
      return outputs.error().isPresent() ? "error" : "ok";
    }
    return answer == null ? "" : answer.path("status").asString("");
  }

  public Optional<Integer> executionCount() {
    var answer = reply;
    if (answer == null) {
      return Optional.empty();
    }
    var count = answer.path("execution_count");
    return count.isIntegralNumber() && count.canConvertToInt()
        ? Optional.of(count.asInt())
        : Optional.empty();
  }

  public Optional<Integer> exitCode() {
    return Optional.ofNullable(exitCode);
  }

  /// What was gathered. Read it when the cell has ended, or nobody feeds it any more.
  public Gathered gathered() {
    return new Gathered(
        outputs.stdout(),
        outputs.stderr(),
        outputs.error(),
        outputs.returnValue(),
        outputs.items(),
        outputs.images(),
        outputs.truncatedFields());
  }
}
