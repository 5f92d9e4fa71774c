package husk.api.sandboxes;

import husk.api.Answers;
import husk.local.Frame;
import husk.local.Frames;
import husk.model.Problem;
import husk.spi.CommandEnd;
import husk.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Tells of a command in frames, byte by byte as it came.
final class FrameSink implements CommandSink {
  private final Outgoing out;

  FrameSink(Outgoing out) {
    this.out = out;
  }

  @Override
  public void started(String id) {
    var event = new LinkedHashMap<String, Object>();
    event.put("event", "started");
    event.put("id", id);
    write(Frame.Kind.EVENT, Json.text(event));
  }

  @Override
  public void output(boolean error, byte[] bytes) {
    write(error ? Frame.Kind.STDERR : Frame.Kind.STDOUT, bytes);
  }

  @Override
  public void pulse() {
    write(Frame.Kind.HEARTBEAT, new byte[0]);
  }

  @Override
  public void ended(CommandEnd end) {
    write(Frame.Kind.RESULT, Json.text(CommandView.end(end)));
  }

  /// The last word of something that has no result.
  void over() {
    write(Frame.Kind.RESULT, Json.text(Map.of()));
  }

  @Override
  public void problem(Problem problem) {
    write(Frame.Kind.PROBLEM, Json.text(Answers.describe(problem)));
  }

  private void write(Frame.Kind kind, String payload) {
    write(kind, payload.getBytes(StandardCharsets.UTF_8));
  }

  /// A frame is written at once, because several threads write.
  private void write(Frame.Kind kind, byte[] payload) {
    var frame = new ByteArrayOutputStream(payload.length + 8);
    try {
      Frames.write(frame, kind, payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.write(frame.toByteArray());
  }
}
