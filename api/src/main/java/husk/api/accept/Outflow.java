package husk.api.accept;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import java.util.function.Supplier;

/// What a connection is told. While it is written, the request's place is lent to others: the other
/// end may not be reading.
final class Outflow implements DataWriter {
  private final HelidonSocket socket;
  private final Stage stage;
  private final Supplier<Place> place;

  Outflow(HelidonSocket socket, Stage stage, Supplier<Place> place) {
    this.socket = socket;
    this.stage = stage;
    this.place = place;
  }

  @Override
  public void write(BufferData buffer) {
    writeNow(buffer);
  }

  @Override
  public void write(BufferData... buffers) {
    writeNow(BufferData.create(buffers));
  }

  @Override
  public void writeNow(BufferData... buffers) {
    writeNow(BufferData.create(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    var lent = place.get();
    stage.writing(true);
    lent.pause();
    try {
      socket.write(buffer);
    } finally {
      stage.writing(false);
      lent.resumeAnyway();
    }
  }
}
