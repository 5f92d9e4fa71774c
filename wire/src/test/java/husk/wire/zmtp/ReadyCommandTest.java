package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyCommandTest {
  @Test
  void tellsTheSocketType() {
    assertThat(ReadyCommand.ours(SocketType.DEALER, new byte[0]))
        .isEqualTo(latin("\5READY\13Socket-Type\0\0\0\6DEALER"));
  }

  @Test
  void tellsTheIdentityIfThereIsOne() {
    assertThat(ReadyCommand.ours(SocketType.REQ, latin("me")))
        .isEqualTo(latin("\5READY\13Socket-Type\0\0\0\3REQ\10Identity\0\0\0\2me"));
  }

  @Test
  void peerOfAFittingTypeIsAcceptedWhateverTheCaseOfItsPropertyNames() {
    var ready = latin("\5READY\1X\0\0\0\0\13socket-type\0\0\0\6ROUTER\10Identity\0\0\0\0");
    assertThatCode(() -> ReadyCommand.check(ready, SocketType.DEALER)).doesNotThrowAnyException();
  }

  @Test
  void typesThatCannotTalkToEachOtherAreRefused() {
    var ready = latin("\5READY\13Socket-Type\0\0\0\6ROUTER");
    assertThatThrownBy(() -> ReadyCommand.check(ready, SocketType.SUB))
        .isInstanceOf(ZmtpException.class)
        .hasMessage("a SUB socket cannot talk to the peer's `ROUTER`");
  }

  @Test
  void refusalOfThePeerIsPassedOn() {
    assertThatThrownBy(() -> ReadyCommand.check(latin("\5ERROR\6go off"), SocketType.SUB))
        .hasMessage("the peer refuses the connection: go off");
  }

  @Test
  void commandsThatEndTooEarlyAreRefused() {
    for (var bad :
        List.of(
            "",
            "\5REA",
            "\5READY",
            "\5READY\13Socket",
            "\5READY\13Socket-Type\0\0",
            "\5READY\13Socket-Type\0\0\0\11ROUTER",
            "\5READY\13Socket-Type\u00ff\u00ff\u00ff\u00ffROUTER",
            "\5ERROR",
            "\5ERROR\11x",
            "\5HELLO")) {
      assertThatThrownBy(() -> ReadyCommand.check(latin(bad), SocketType.DEALER))
          .as(bad)
          .isInstanceOf(ZmtpException.class);
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
