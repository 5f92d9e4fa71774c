package husk.gateway;

import husk.model.Problem;
import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Listens to one WebSocket: puts messages together of their parts, and notices its end.
final class Ears implements WebSocket.Listener {
  private final Consumer<JsonNode> onMessage;
  private final BiConsumer<Ears, String> onEnd;
  private final StringBuilder text = new StringBuilder();
  private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
  private CompletableFuture<?> latestPing = CompletableFuture.completedFuture(null);
  private volatile boolean awaitingPong;
  private volatile boolean ended;

  Ears(Consumer<JsonNode> onMessage, BiConsumer<Ears, String> onEnd) {
    this.onMessage = onMessage;
    this.onEnd = onEnd;
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
    text.append(part);
    if (last) {
      var message = text.toString().getBytes(StandardCharsets.UTF_8);
      text.setLength(0);
      hear(() -> Frames.read(message));
    }
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
    var bytes = new byte[part.remaining()];
    part.get(bytes);
    binary.writeBytes(bytes);
    if (last) {
      var message = ByteBuffer.wrap(binary.toByteArray());
      binary.reset();
      hear(() -> Frames.readBinary(message));
    }
    socket.request(1);
    return null;
  }

  private void hear(Supplier<JsonNode> message) {
    JsonNode read;
    try {
      read = message.get();
    } catch (Problem | IndexOutOfBoundsException | NegativeArraySizeException malformed) {
      // Whatever it was, it was not about a cell of ours.
      return;
    }
    onMessage.accept(read);
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
    awaitingPong = false;
    socket.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
    ended = true;
    onEnd.accept(this, "the gateway closed it: " + (status + " " + reason).strip());
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    ended = true;
    onEnd.accept(this, String.valueOf(error));
  }

  /// Whether the socket has ended.
  boolean ended() {
    return ended;
  }

  /// Asks for a sign of life; false if the one asked for before has not come.
  boolean ping(WebSocket socket) {
    if (awaitingPong) {
      return false;
    }
    if (latestPing.isDone()) {
      awaitingPong = true;
      latestPing = socket.sendPing(ByteBuffer.allocate(0));
    }
    return true;
  }
}
