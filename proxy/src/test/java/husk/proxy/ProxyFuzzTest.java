package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.Eventually;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Mutations of good requests and plain noise. Two servers stand by: one that is allowed, and one
/// that is not, which nobody may ever reach.
@ExtendWith(LeakDetector.class)
@Timeout(240)
final class ProxyFuzzTest {
  private static final int ROUNDS = 4000;

  @Test
  void nothingHangsAndNobodyReachesWhatIsNotAllowed() throws IOException {
    var random = new Random(4711);
    try (var good = Upstream.echoingHeads();
        var evil = Upstream.start("127.0.0.66", socket -> Upstream.answer(socket, "\r\nstolen"));
        var sandbox =
            Sandbox.allowing("good.example/public/*", "good.example:1", "127.0.0.1")
                .name("good.example", "127.0.0.1")
                .name("evil.example", "127.0.0.66")) {
      var seeds = seeds(good.port(), evil.port());
      for (int i = 0; i < ROUNDS; i++) {
        var answer = exchange(sandbox, mutate(seeds, random));
        assertThat(answer).doesNotContain("stolen");
      }
      assertThat(evil.visitors()).isZero();
      assertThat(allowed(sandbox)).isPositive();
      Eventually.until(
          Duration.ofSeconds(20),
          () -> good.visitors() == allowed(sandbox),
          () -> good.visitors() + " came, allowed were " + allowed(sandbox));
    }
  }

  /// Every visit to the good server was allowed, and on record as such.
  private static int allowed(Sandbox sandbox) {
    return (int) sandbox.events().stream().filter(it -> it.reason().isEmpty()).count();
  }

  private static String exchange(Sandbox sandbox, byte[] request) throws IOException {
    try (var client = sandbox.client()) {
      try {
        client.send(request);
        client.finish();
      } catch (IOException _) {
        // The proxy has heard enough.
      }
      return client.readAll();
    }
  }

  private static List<byte[]> seeds(int good, int evil) {
    var texts =
        List.of(
            "GET http://good.example:%d/public/x HTTP/1.1\r\nHost: good.example\r\n\r\n"
                .formatted(good),
            "GET http://good.example:%d/public/../x HTTP/1.1\r\nA: b\r\n\r\n".formatted(good),
            "GET http://127.0.0.1:%d@127.0.0.66:%d/ HTTP/1.1\r\n\r\n".formatted(good, evil),
            "GET http://evil.example:%d/ HTTP/1.1\r\nHost: good.example:%d\r\n\r\n"
                .formatted(evil, good),
            "POST http://127.0.0.1:%d/ HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET http://127.0.0.66:%d/ HTTP/1.1\r\n\r\n"
                .formatted(good, evil),
            "POST http://127.0.0.1:%d/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
                .formatted(good),
            "CONNECT 127.0.0.66:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n".formatted(evil),
            "CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n".formatted(good),
            "\u0005\u0001\u0000\u0005\u0001\u0000\u0001\u007f\u0000\u0000B%c%c"
                .formatted(evil >> 8, evil & 0xff),
            "\u0005\u0001\u0000\u0005\u0001\u0000\u0003\fevil.example%c%c"
                .formatted(evil >> 8, evil & 0xff));
    return texts.stream().map(it -> it.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  private static byte[] mutate(List<byte[]> seeds, Random random) {
    if (random.nextInt(20) == 0) {
      var noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      return noise;
    }
    var bytes = seeds.get(random.nextInt(seeds.size())).clone();
    for (int change = random.nextInt(4); change > 0; change--) {
      bytes = mutateOnce(bytes, random);
    }
    return bytes;
  }

  private static byte[] mutateOnce(byte[] bytes, Random random) {
    if (bytes.length == 0) {
      return bytes;
    }
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(4)) {
      case 0 -> replace(bytes, at, (byte) random.nextInt());
      case 1 -> replace(bytes, at, (byte) " \r\n:/@%#?.\0\t,;[]0xfF".charAt(random.nextInt(20)));
      case 2 -> java.util.Arrays.copyOf(bytes, at);
      default -> doubled(bytes, at, random.nextInt(bytes.length - at));
    };
  }

  private static byte[] replace(byte[] bytes, int at, byte value) {
    bytes[at] = value;
    return bytes;
  }

  private static byte[] doubled(byte[] bytes, int at, int length) {
    var longer = new byte[bytes.length + length];
    System.arraycopy(bytes, 0, longer, 0, at + length);
    System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
    return longer;
  }
}
