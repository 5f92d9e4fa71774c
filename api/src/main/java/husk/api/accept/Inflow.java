package husk.api.accept;

import husk.model.Problem;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a connection brings, on its way to Helidon, which asks for bytes without saying what for.
/// Here it is known: where a head ends is where bytes are not passed on before Helidon has said
/// what it has read.
final class Inflow implements Supplier<byte @Nullable []> {
  /// What comes next.
  private enum Part {
    HEAD,
    COUNTED,
    CHUNKED,
    ANYTHING
  }

  /// So much of a body nobody wants is read, so that whoever sends it finds the answer.
  private static final long MOST_UNWANTED = 80L << 20;

  private final Supplier<byte @Nullable []> wire;
  private final Stage stage;
  private final Carry carry = new Carry(this::read);
  private volatile Place place = Place.NONE;
  private volatile boolean answered;
  private Part part = Part.HEAD;
  private Chunks chunks = new Chunks(carry);
  private long left;
  private long unwanted;

  Inflow(Supplier<byte @Nullable []> wire, Stage stage) {
    this.wire = wire;
    this.stage = stage;
  }

  /// Says whose place is lent to others while the rest of the body is waited for.
  void place(Place now) {
    place = now;
  }

  Place place() {
    return place;
  }

  /// Nobody wants the rest of the body.
  void answered() {
    answered = true;
  }

  /// Helidon has read a head.
  void head(Headers headers) {
    answered = false;
    unwanted = 0;
    chunks = new Chunks(carry);
    left = headers.contains(HeaderNames.CONTENT_LENGTH) ? length(headers) : 0;
    part = headers.contains(HeaderNames.TRANSFER_ENCODING) ? Part.CHUNKED : Part.COUNTED;
    stage.working();
  }

  /// What is no length Helidon refuses.
  private static long length(Headers headers) {
    try {
      return headers.contentLength().orElse(0);
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /// From here on it is no longer HTTP.
  void talk() {
    part = Part.ANYTHING;
    stage.to(Stage.Phase.TALKING);
  }

  @Override
  public byte @Nullable [] get() {
    return switch (part) {
      case HEAD -> nextHead();
      case COUNTED -> left > 0 ? counted() : nextHead();
      case CHUNKED -> chunks.over() ? nextHead() : chunks.get();
      case ANYTHING -> carry.fill() ? carry.take(Integer.MAX_VALUE) : null;
    };
  }

  private byte @Nullable [] counted() {
    if (!carry.fill()) {
      return null;
    }
    var piece = carry.take(left);
    left -= piece.length;
    return piece;
  }

  /// A whole head, in one piece: in the pieces it may come in, each byte would take fifty. Its time
  /// runs from its first byte on.
  private byte @Nullable [] nextHead() {
    part = Part.HEAD;
    var head = new Head();
    if (carry.empty()) {
      stage.to(Stage.Phase.IDLE);
    }
    boolean more = carry.fill();
    stage.to(Stage.Phase.HEAD);
    while (more && !head.over()) {
      head.add(carry);
      more = head.over() || carry.fill();
    }
    return head.bytes();
  }

  private byte @Nullable [] read() {
    boolean body = part == Part.COUNTED || part == Part.CHUNKED;
    var bytes = body ? readBody() : wire.get();
    if (bytes == null && stage.late()) {
      throw body ? slowBody() : slowHead();
    }
    return bytes;
  }

  private byte @Nullable [] readBody() {
    var lent = place;
    stage.to(Stage.Phase.BODY);
    lent.pause();
    byte[] bytes;
    try {
      bytes = wire.get();
    } finally {
      stage.to(Stage.Phase.WORKING);
      lent.resume();
    }
    if (answered && bytes != null) {
      unwanted += bytes.length;
      if (unwanted > MOST_UNWANTED) {
        throw new CloseConnectionException("too much that nobody wants");
      }
    }
    return bytes;
  }

  private static RequestException slowHead() {
    return RequestException.builder()
        .type(DirectHandler.EventType.OTHER)
        .status(Status.REQUEST_TIMEOUT_408)
        .setKeepAlive(false)
        .message("the request's head did not arrive in time")
        .build();
  }

  private static Problem slowBody() {
    return new Problem(
        Problem.Code.TOO_SLOW,
        "the request's body did not arrive in time",
        "send it at once, or write the data to a file first");
  }
}
