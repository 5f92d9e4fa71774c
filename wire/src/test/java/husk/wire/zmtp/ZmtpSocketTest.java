package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ZmtpSocketTest {
  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final byte[] HELLO = "hello".getBytes(UTF_8);

  @TempDir Path folder;

  @Test
  void pingIsAnsweredWithItsContextAndOtherCommandsAreIgnored() throws Exception {
    var heard = new CompletableFuture<byte[]>();
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("ROUTER", SocketType.DEALER);
                  it.say(ScriptedPeer.command(Command.bytes("NEWS", HELLO)));
                  it.say(ScriptedPeer.command(Command.bytes("PING", new byte[] {0, 10, 'c', 't'})));
                  heard.complete(it.hear(9));
                  it.say(FrameDecoderTest.encoded(List.of(HELLO)));
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, PATIENT)) {
      assertThat(socket.receive()).containsExactly(HELLO);
      assertThat(heard.get()).isEqualTo("\4\7\4PONGct".getBytes(UTF_8));
      peer.await();
    }
  }

  @Test
  void subscriptionIsAMessageOfOneAndTheTopic() throws Exception {
    var heard = new CompletableFuture<byte[]>();
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("XPUB", SocketType.SUB);
                  heard.complete(it.hear(5 + 3));
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.SUB, PATIENT)) {
      socket.subscribe("ab");
      socket.subscribe("");
      assertThat(heard.get()).isEqualTo("\0\3\1ab\0\1\1".getBytes(UTF_8));
      assertThatThrownBy(() -> socket.send(List.of(HELLO)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void requestHasAnEmptyFrameInFrontAndItsReplyMust() throws Exception {
    var heard = new CompletableFuture<byte[]>();
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("REP", SocketType.REQ);
                  heard.complete(it.hear(9));
                  it.say(FrameDecoderTest.encoded(List.of(new byte[0], HELLO)));
                  it.say(FrameDecoderTest.encoded(List.of(HELLO, HELLO)));
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.REQ, PATIENT)) {
      socket.send(List.of(HELLO));
      assertThat(heard.get()).isEqualTo("\1\0\0\5hello".getBytes(UTF_8));
      assertThat(socket.receive()).containsExactly(HELLO);
      assertThatThrownBy(socket::receive).isInstanceOf(ZmtpException.class);
    }
  }

  @Test
  void manySmallMessagesInOnePieceAreAllReceivedAndThenTheEnd() throws Exception {
    var all = new ByteArrayOutputStream();
    for (int i = 0; i < 5000; i++) {
      all.writeBytes(FrameDecoderTest.encoded(List.of(HELLO, new byte[] {(byte) i})));
    }
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("ROUTER", SocketType.DEALER);
                  it.say(all.toByteArray());
                  it.hangUp();
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, PATIENT)) {
      for (int i = 0; i < 5000; i++) {
        assertThat(socket.receive()).containsExactly(HELLO, new byte[] {(byte) i});
      }
      assertThatThrownBy(socket::receive).isInstanceOf(EOFException.class);
      assertThat(socket.isOpen()).isFalse();
    }
  }

  @Test
  void closingWakesAThreadThatReceives() throws Exception {
    try (var peer = new ScriptedPeer(folder, it -> it.shakeHands("ROUTER", SocketType.DEALER))) {
      var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, PATIENT);
      assertThat(socket.isOpen()).isTrue();
      var woken = new CompletableFuture<List<byte[]>>();
      var started = new CountDownLatch(1);
      var reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    started.countDown();
                    try {
                      woken.complete(socket.receive());
                    } catch (Exception e) {
                      woken.completeExceptionally(e);
                    }
                  });
      started.await();
      socket.close();
      reader.join();
      assertThat(woken.exceptionNow()).isInstanceOf(ClosedChannelException.class);
      assertThat(socket.isOpen()).isFalse();
      assertThatThrownBy(() -> socket.send(List.of(HELLO)))
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void pongDoesNotWaitForAMessageThePeerIsSlowToTake() throws Exception {
    var large = new byte[8 << 20];
    var received = new CountDownLatch(1);
    try (var peer =
            new ScriptedPeer(
                folder,
                it -> {
                  it.shakeHands("ROUTER", SocketType.DEALER);
                  it.hear(1); // the client is now inside its write, which cannot end yet
                  it.say(ScriptedPeer.command(Command.bytes("PING", new byte[] {0, 10, 'x'})));
                  it.say(FrameDecoderTest.encoded(List.of(HELLO)));
                  received.await();
                  it.hear(8 + large.length);
                  assertThat(it.hear(8)).isEqualTo("\4\6\4PONGx".getBytes(UTF_8));
                });
        var socket = ZmtpSocket.connect(peer.endpoint(), SocketType.DEALER, PATIENT)) {
      var sent = CompletableFuture.runAsync(() -> send(socket, large), Thread::startVirtualThread);
      assertThat(socket.receive()).containsExactly(HELLO);
      assertThat(sent).isNotDone();
      received.countDown();
      sent.join();
      peer.await();
    }
  }

  private static void send(ZmtpSocket socket, byte[] frame) {
    try {
      socket.send(List.of(frame));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
