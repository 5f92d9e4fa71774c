package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import husk.wire.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What our client does with every ZeroMQ peer: a ROUTER and a REP that echo, and an XPUB that
/// publishes a thousand numbers to whoever subscribes, with unwanted messages in between.
@Timeout(120)
abstract class PeerContract {
  private static final Duration PATIENT = Duration.ofSeconds(30);

  abstract Endpoint endpoint(String socketType);

  @Test
  void dealerGetsBackWhatItSendsToARouter() throws Exception {
    try (var socket = ZmtpSocket.connect(endpoint("ROUTER"), SocketType.DEALER, PATIENT)) {
      for (int i = 0; i < 2000; i++) {
        var message = List.of(bytes("<IDS|MSG>"), new byte[0], bytes("n" + i), new byte[300]);
        socket.send(message);
        assertThat(socket.receive()).containsExactlyElementsOf(message);
      }
    }
  }

  @Test
  void framesOfManyMegabytesArriveWhole() throws Exception {
    var large = new byte[20_000_000];
    new Random(1).nextBytes(large);
    try (var socket = ZmtpSocket.connect(endpoint("ROUTER"), SocketType.DEALER, PATIENT)) {
      socket.send(List.of(bytes("first"), large, bytes("last")));
      assertThat(socket.receive()).containsExactly(bytes("first"), large, bytes("last"));
    }
  }

  @Test
  void twoClientsWithIdentitiesOfTheirOwnAreToldApart() throws Exception {
    try (var one = identified("one");
        var two = identified("two")) {
      one.send(List.of(bytes("from one")));
      two.send(List.of(bytes("from two")));
      assertThat(two.receive()).containsExactly(bytes("from two"));
      assertThat(one.receive()).containsExactly(bytes("from one"));
    }
  }

  @Test
  void messagesOfManyThreadsDoNotMix() throws Exception {
    try (var socket = ZmtpSocket.connect(endpoint("ROUTER"), SocketType.DEALER, PATIENT);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var sent = new ArrayList<Future<Boolean>>();
      var expected = new HashSet<String>();
      for (int thread = 0; thread < 10; thread++) {
        var name = "thread " + thread;
        expected.add(name);
        sent.add(threads.submit(sending(socket, name)));
      }
      var seen = new HashSet<String>();
      for (int i = 0; i < 1000; i++) {
        var message = socket.receive();
        assertThat(message).hasSize(2);
        assertThat(message.getFirst()).isEqualTo(message.getLast());
        seen.add(new String(message.getFirst(), UTF_8));
      }
      assertThat(seen).isEqualTo(expected);
      for (var done : sent) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  @Test
  void subscriberReceivesItsTopicInOrderAndNothingElse() throws Exception {
    try (var socket = ZmtpSocket.connect(endpoint("XPUB"), SocketType.SUB, PATIENT)) {
      socket.subscribe("topic");
      for (int i = 0; i < 1000; i++) {
        assertThat(socket.receive()).containsExactly(bytes("topic"), bytes("" + i));
      }
    }
  }

  @Test
  void requestIsAnsweredAgainAndAgain() throws Exception {
    try (var socket = ZmtpSocket.connect(endpoint("REP"), SocketType.REQ, PATIENT)) {
      for (int i = 0; i < 100; i++) {
        socket.send(List.of(bytes("ping " + i)));
        assertThat(socket.receive()).containsExactly(bytes("ping " + i));
      }
    }
  }

  private ZmtpSocket identified(String name) throws Exception {
    return ZmtpSocket.connect(
        endpoint("ROUTER"), SocketType.DEALER, bytes(name), PATIENT, Limits.DEFAULT);
  }

  private static Callable<Boolean> sending(ZmtpSocket socket, String name) {
    return () -> {
      for (int i = 0; i < 100; i++) {
        socket.send(List.of(bytes(name), bytes(name)));
      }
      return true;
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
