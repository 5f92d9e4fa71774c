package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SignerTest {
  private static final byte[] TEXT = "what do ya want for nothing?".getBytes(UTF_8);

  @Test
  void signsAsRfc4231SaysWhateverThePieces() {
    var signer = new Signer("Jefe", "hmac-sha256");
    var expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assertThat(signer.sign(TEXT)).isEqualTo(expected);
    assertThat(signer.sign("what do ya ".getBytes(UTF_8), "want for nothing?".getBytes(UTF_8)))
        .isEqualTo(expected);
    assertThat(signer.verify(expected.getBytes(UTF_8), TEXT)).isTrue();
    assertThat(signer.verify(expected.substring(1).getBytes(UTF_8), TEXT)).isFalse();
    assertThat(signer.verify(new byte[0], TEXT)).isFalse();
  }

  @Test
  void knowsTheDigestsOfTheJdk() {
    for (var scheme : new String[] {"hmac-md5", "hmac-sha1", "hmac-sha512", "hmac-sha3_256"}) {
      var signer = new Signer("key", scheme);
      assertThat(signer.verify(signer.sign(TEXT).getBytes(UTF_8), TEXT)).as(scheme).isTrue();
    }
  }

  @Test
  void refusesUnknownSchemesEvenWithoutAKey() {
    for (var scheme : new String[] {"hmac-nonsense", "sha256", ""}) {
      assertThatThrownBy(() -> new Signer("", scheme))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("`" + scheme + "`");
    }
  }

  @Test
  void emptyKeySignsNothingAndAcceptsAnything() {
    var signer = new Signer("", "hmac-sha256");
    assertThat(signer.sign(TEXT)).isEmpty();
    assertThat(signer.verify("whatever".getBytes(UTF_8), TEXT)).isTrue();
  }

  @Test
  void manyThreadsMaySignAtOnce() throws Exception {
    var signer = new Signer("Jefe", "hmac-sha256");
    var expected = signer.sign(TEXT);
    Callable<Boolean> task =
        () -> IntStream.range(0, 500).allMatch(_ -> signer.sign(TEXT).equals(expected));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var same : threads.invokeAll(java.util.Collections.nCopies(20, task))) {
        assertThat(same.get()).isTrue();
      }
    }
  }
}
