package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class GreetingTest {
  @Test
  void isTheSixtyFourBytesOfTheSpecification() {
    assertThat(HexFormat.of().formatHex(Greeting.ours()))
        .isEqualTo(
            "ff00000000000000007f" // signature
                + "0300" // version 3.0
                + "4e554c4c" // NULL
                + "00".repeat(16)
                + "00" // a client
                + "00".repeat(31));
  }

  @Test
  void peersOfAnyVersionThreeAreAccepted() {
    var greeting = Greeting.ours();
    greeting[11] = 1;
    assertThatCode(() -> Greeting.check(greeting, Greeting.SIZE)).doesNotThrowAnyException();
  }

  @Test
  void peerThatIsNotZeroMqIsRefusedAtItsFirstByte() {
    assertThatThrownBy(() -> Greeting.check("HTTP/1.1".getBytes(US_ASCII), 1))
        .isInstanceOf(ZmtpException.class)
        .hasMessageContaining("does not speak ZMTP");
  }

  @Test
  void olderVersionsAndOtherMechanismsAreRefused() {
    var old = Greeting.ours();
    old[10] = 1;
    assertThatThrownBy(() -> Greeting.check(old, 11)).hasMessageContaining("older than 3");
    var curve = Greeting.ours();
    System.arraycopy("CURVE".getBytes(US_ASCII), 0, curve, 12, 5);
    assertThatThrownBy(() -> Greeting.check(curve, 64)).hasMessageContaining("`CURVE`");
  }
}
