package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.wire.Endpoint;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HostilePeerTest {
  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final Duration IMPATIENT = Duration.ofMillis(30);

  @TempDir Path folder;

  @Test
  void silenceMissesTheDeadline() throws Exception {
    refused(_ -> {}, IMPATIENT, SocketTimeoutException.class);
  }

  @Test
  void halfAGreetingMissesTheDeadline() throws Exception {
    refused(
        it -> it.say(Arrays.copyOf(Greeting.ours(), 30)), IMPATIENT, SocketTimeoutException.class);
  }

  @Test
  void greetingWithoutReadyMissesTheDeadline() throws Exception {
    refused(it -> it.say(Greeting.ours()), IMPATIENT, SocketTimeoutException.class);
  }

  @Test
  void garbageIsRefusedAtOnceThoughThePeerStaysConnected() throws Exception {
    refused(it -> it.say("HTTP/1.1 400".getBytes(US_ASCII)), PATIENT, ZmtpException.class);
  }

  @Test
  void otherMechanismIsRefusedAtOnce() throws Exception {
    var greeting = Greeting.ours();
    System.arraycopy("PLAIN".getBytes(US_ASCII), 0, greeting, 12, 5);
    refused(it -> it.say(greeting), PATIENT, ZmtpException.class);
  }

  @Test
  void messageInsteadOfReadyIsRefused() throws Exception {
    refused(
        it -> {
          it.say(Greeting.ours());
          it.say(new byte[] {0, 1, 1});
        },
        PATIENT,
        ZmtpException.class);
  }

  @Test
  void hangingUpDuringTheHandshakeIsTheEndOfTheStream() throws Exception {
    refused(
        it -> {
          it.hear(Greeting.SIZE);
          it.hear(2 + ReadyCommand.ours(SocketType.DEALER, new byte[0]).length);
          it.hangUp();
        },
        PATIENT,
        EOFException.class);
  }

  @Test
  void nobodyListeningIsAnIoException() {
    var missing = new Endpoint.Unix(folder.resolve("missing"));
    assertThatThrownBy(() -> ZmtpSocket.connect(missing, SocketType.DEALER, PATIENT))
        .isInstanceOf(IOException.class);
    var nowhere = new Endpoint.Tcp("no such host", 1);
    assertThatThrownBy(() -> ZmtpSocket.connect(nowhere, SocketType.DEALER, PATIENT))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void hugeSizeThatIsNeverSentTakesNoMemory() throws Exception {
    var sent = HexFormat.of().parseHex("020000000040000000" + "00".repeat(100));
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("ROUTER", SocketType.DEALER);
                  it.say(sent);
                  it.hangUp();
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, PATIENT)) {
      assertThatThrownBy(socket::receive)
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("middle of a frame");
      assertThat(socket.isOpen()).isFalse();
    }
  }

  @Test
  void tooLargeAFrameOrMessageAndTooManyFramesAreRefused() throws Exception {
    var limits = new Limits(100, 150, 3);
    for (var message :
        List.of(
            List.of(new byte[101]),
            List.of(new byte[100], new byte[51]),
            List.of(new byte[1], new byte[1], new byte[1], new byte[1]))) {
      try (var peer =
              new ScriptedPeer(
                  java.nio.file.Files.createTempDirectory(folder, "limits"),
                  it -> {
                    it.shakeHands("ROUTER", SocketType.DEALER);
                    it.say(FrameDecoderTest.encoded(message));
                  });
          var socket =
              ZmtpSocket.connect(
                  peer.endpoint(), SocketType.DEALER, new byte[0], PATIENT, limits)) {
        assertThatThrownBy(socket::receive).isInstanceOf(ZmtpException.class);
        assertThat(socket.isOpen()).isFalse();
      }
    }
  }

  private void refused(
      ScriptedPeer.Script script, Duration patience, Class<? extends IOException> expected)
      throws Exception {
    try (var peer = new ScriptedPeer(folder, script)) {
      assertThatThrownBy(() -> ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, patience))
          .isInstanceOf(expected);
    }
  }
}
