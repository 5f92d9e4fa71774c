package husk.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MessageCodecFuzzTest {
  private static final int ROUNDS = 40_000;

  private final long seed = Mutations.seed();
  private final Mutations mutations = new Mutations(seed);

  @Test
  void spoiledMessagesAreReadOrMalformedAndNothingElse() {
    var codec = new MessageCodec(new Signer("", "hmac-sha256"));
    int malformed = decodeAll(codec);
    assertThat(malformed).as("seed %d", seed).isBetween(ROUNDS / 10, ROUNDS - 1);
  }

  @Test
  void spoiledSignedMessagesAreMalformedUnlessOnlyIdentitiesOrBuffersChanged() {
    int malformed = decodeAll(new MessageCodec(new Signer("key", "hmac-sha256")));
    assertThat(malformed).as("seed %d", seed).isBetween(ROUNDS / 2, ROUNDS - 1);
  }

  private int decodeAll(MessageCodec codec) {
    var original = codec.encode(MessageCodecTest.sample());
    int malformed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try {
        codec.decode(spoiled(original));
      } catch (MalformedMessage e) {
        malformed++;
      } catch (RuntimeException | Error e) {
        fail("seed " + seed + ", round " + round, e);
      }
    }
    return malformed;
  }

  private List<byte[]> spoiled(List<byte[]> original) {
    var frames = new ArrayList<>(original);
    int at = mutations.below(frames.size());
    switch (mutations.below(8)) {
      case 0 -> frames.remove(at);
      case 1 -> frames.add(at, mutations.noise(32));
      case 2 -> frames.set(at, mutations.noise(200));
      default -> frames.set(at, mutations.of(frames.get(at)));
    }
    return frames;
  }
}
