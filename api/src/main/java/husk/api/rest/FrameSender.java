package husk.api.rest;

import husk.api.Answers;
import husk.local.Frame;
import husk.local.Frames;
import husk.model.ExecutionEvent;
import husk.model.OutputItem;
import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Sends the events of an execution as frames while they happen. Writing blocks while the client
/// does not read, which holds the kernel back instead of filling memory.
final class FrameSender implements ExecutionEvent.Listener, AutoCloseable {
  private static final long HEARTBEAT_MILLIS = 5_000;

  private final OutputStream out;
  private final boolean plain;
  private final boolean pretty;
  private final ReentrantLock writing = new ReentrantLock();
  private final Thread heart;

  /// @param plain whether the text of displays is sent as if printed
  /// @param pretty whether the result is laid out for reading
  FrameSender(OutputStream out, boolean plain, boolean pretty) {
    this.out = out;
    this.plain = plain;
    this.pretty = pretty;
    this.heart = Thread.ofVirtual().name("husk-frame-heartbeat").start(this::beat);
  }

  @Override
  public void on(ExecutionEvent event) {
    switch (event) {
      case ExecutionEvent.Started started ->
          json("started", Map.of("execution_id", started.executionId(), "at", started.at()));
      case ExecutionEvent.Stream(var name, var text) ->
          write(name.equals("stderr") ? Frame.Kind.STDERR : Frame.Kind.STDOUT, text);
      case ExecutionEvent.Display(var item) -> display(item);
      case ExecutionEvent.DisplayUpdated(var id, var item) ->
          json("display_updated", Map.of("display_id", id, "item", item));
      case ExecutionEvent.Cleared(var onNext) -> json("cleared", Map.of("wait", onNext));
      case ExecutionEvent.Ended(var result) ->
          write(Frame.Kind.RESULT, pretty ? Json.pretty(result) + "\n" : Json.text(result));
    }
  }

  private void display(OutputItem item) {
    json("display", Map.of("item", item));
    if (plain) {
      item.text().ifPresent(text -> write(Frame.Kind.STDOUT, text + "\n"));
    }
  }

  void problem(Problem problem) {
    write(Frame.Kind.PROBLEM, Json.text(Answers.describe(problem)));
  }

  private void json(String event, Map<String, Object> fields) {
    var message = new LinkedHashMap<String, Object>();
    message.put("event", event);
    message.putAll(fields);
    write(Frame.Kind.EVENT, Json.text(message));
  }

  private void write(Frame.Kind kind, String payload) {
    writing.lock();
    try {
      Frames.write(out, kind, payload.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      writing.unlock();
    }
  }

  private void beat() {
    try {
      while (true) {
        Thread.sleep(HEARTBEAT_MILLIS);
        write(Frame.Kind.HEARTBEAT, "");
      }
    } catch (InterruptedException | UncheckedIOException over) {
      // the execution, or the client, is done
    }
  }

  @Override
  public void close() {
    heart.interrupt();
    writing.lock();
    try {
      out.close();
    } catch (IOException e) {
      // the client has gone; its result can be fetched
    } finally {
      writing.unlock();
    }
  }
}
