package husk.wire;

import java.util.Arrays;
import java.util.Random;

/// Spoils bytes in the ways that peers and networks do, the same way for the same seed.
public final class Mutations {
  private static final byte[] TELLING = {
    0, 1, 2, 4, 7, 8, 0x7f, -1, -128, '{', '[', '"', '}', '\\'
  };

  private final Random random;

  public Mutations(long seed) {
    this.random = new Random(seed);
  }

  /// A seed of its own for each run, or the one given as `husk.seed` to repeat a run; printed.
  public static long seed() {
    long seed = Long.getLong("husk.seed", System.nanoTime());
    System.out.println("fuzzing with -Dhusk.seed=" + seed);
    return seed;
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  public byte[] noise(int longest) {
    var bytes = new byte[random.nextInt(longest + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /// One to four changes.
  public byte[] of(byte[] original) {
    var bytes = original.clone();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      bytes = once(bytes);
    }
    return bytes;
  }

  private byte[] once(byte[] bytes) {
    if (bytes.length == 0) {
      return noise(16);
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = TELLING[random.nextInt(TELLING.length)];
      case 2 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 3 -> {
        return splice(bytes, at, noise(16), at);
      }
      case 4 -> {
        return splice(bytes, at, new byte[0], at + random.nextInt(bytes.length - at + 1));
      }
      default -> {
        return splice(bytes, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), at), at);
      }
    }
    return bytes;
  }

  private static byte[] splice(byte[] bytes, int at, byte[] middle, int resume) {
    var out = new byte[at + middle.length + bytes.length - resume];
    System.arraycopy(bytes, 0, out, 0, at);
    System.arraycopy(middle, 0, out, at, middle.length);
    System.arraycopy(bytes, resume, out, at + middle.length, bytes.length - resume);
    return out;
  }
}
