package husk.wire.zmtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import husk.wire.Mutations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ZmtpFuzzTest {
  private static final int ROUNDS = 30_000;
  private static final Limits LIMITS = new Limits(1 << 20, 1 << 21, 100);

  private final long seed = Mutations.seed();
  private final Mutations mutations = new Mutations(seed);

  @Test
  void spoiledConversationsEndInAnIoException() {
    var original = conversation();
    var types = List.of(SocketType.values());
    int connected = 0;
    for (int round = 0; round < ROUNDS; round++) {
      var type = types.get(mutations.below(types.size()));
      connected += listen(type, mutations.of(original), round) ? 1 : 0;
    }
    assertThat(connected).as("seed %d", seed).isBetween(1, ROUNDS - 1);
  }

  @Test
  void noiseAfterAGoodHandshakeEndsInAnIoException() {
    for (int round = 0; round < ROUNDS; round++) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(handshake());
      out.writeBytes(mutations.noise(300));
      assertThat(listen(SocketType.DEALER, out.toByteArray(), round)).isTrue();
    }
  }

  private boolean listen(SocketType type, byte[] said, int round) {
    boolean connected = false;
    try (var socket =
        ZmtpSocket.over(
            new MemoryChannel(said), type, new byte[0], Duration.ofMinutes(1), LIMITS)) {
      connected = true;
      while (true) {
        assertThat(socket.receive()).hasSizeBetween(1, LIMITS.frames());
      }
    } catch (IOException expected) {
      return connected;
    } catch (RuntimeException | Error e) {
      return fail("seed " + seed + ", round " + round, e);
    }
  }

  private static byte[] conversation() {
    var out = new ByteArrayOutputStream();
    out.writeBytes(handshake());
    out.writeBytes(FrameDecoderTest.encoded(List.of(new byte[0], new byte[3], new byte[300])));
    out.writeBytes(ScriptedPeer.command(Command.bytes("PING", new byte[] {0, 1, 'x'})));
    out.writeBytes(FrameDecoderTest.encoded(List.of(new byte[0], new byte[40])));
    return out.toByteArray();
  }

  private static byte[] handshake() {
    var out = new ByteArrayOutputStream();
    out.writeBytes(Greeting.ours());
    out.writeBytes(ScriptedPeer.ready("ROUTER"));
    return out.toByteArray();
  }
}
