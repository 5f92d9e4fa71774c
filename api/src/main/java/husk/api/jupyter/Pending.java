package husk.api.jupyter;

import husk.wire.RawMessage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A request that has been passed on and not been answered. Guarded by its [Requests].
final class Pending {
  private final String type;
  private final byte[] header;
  private final Optional<RawMessage> repeatable;
  private final String id;
  private boolean idle;
  private long outputs;
  private long heldNanos;
  private @Nullable RawMessage heldReply;

  Pending(RawMessage request) {
    this.id = request.id();
    this.type = request.type();
    this.header = request.header();
    this.repeatable = type.equals("kernel_info_request") ? Optional.of(request) : Optional.empty();
  }

  String id() {
    return id;
  }

  byte[] header() {
    return header;
  }

  boolean execution() {
    return type.equals(Requests.EXECUTE);
  }

  String replyType() {
    return type.replaceFirst("_request$", "_reply");
  }

  /// The request itself, when another process may as well answer it: what a kernel is does not
  /// change when it is started anew.
  Optional<RawMessage> repeatable() {
    return repeatable;
  }

  /// Whether the client was told that the kernel is done with it.
  boolean idle() {
    return idle;
  }

  void nowIdle() {
    idle = true;
  }

  /// Counts an output as the kernel does.
  void countOutput() {
    outputs++;
  }

  long outputs() {
    return outputs;
  }

  Optional<RawMessage> heldReply() {
    return Optional.ofNullable(heldReply);
  }

  void hold(RawMessage reply) {
    heldReply = reply;
    heldNanos = System.nanoTime();
  }

  /// Since when its reply is held back, if it is.
  long heldNanos() {
    return heldNanos;
  }
}
