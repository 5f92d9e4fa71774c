package husk.api.accept;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Connections: as they should be, too many, too slow, and lying about what they bring.
final class DoorTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofHours(1);
  private static final byte[] NOTHING = {};

  @Test
  void oneConnectionIsAnsweredAsOftenAsItAsks() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      assertThat(caller.ask("GET", "/health", NOTHING)).isEqualTo("200 well");
      assertThat(caller.ask("POST", "/code", "{\"code\":\"abc\"}".getBytes(UTF_8)))
          .isEqualTo("200 3");
      assertThat(caller.ask("GET", "/health", NOTHING)).isEqualTo("200 well");
    }
  }

  @Test
  void requestsThatComeAllAtOnceAreAnsweredInTurn() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say(
          "PUT /file HTTP/1.1\r\n"
              + "Host: a\r\n"
              + "Content-Length: 5\r\n\r\n\r\n\r\n"
              + "!PUT /file HTTP/1.1\r\n"
              + "Host: a\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n"
              + "2\r\n"
              + "ab\r\n"
              + "0\r\n\r\n"
              + "GET /health HTTP/1.1\r\n"
              + "Host: a\r\n\r\n");
      assertThat(caller.answer()).isEqualTo("200 \r\n\r\n!");
      assertThat(caller.answer()).isEqualTo("200 ab");
      assertThat(caller.answer()).isEqualTo("200 well");
    }
  }

  @Test
  void chunksMayBeCutAnywhereOnTheWay() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      var request =
          "PUT /file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3;ext=1\r\nabc\r\n0010\r\n0123456789abcde\n\r\n0\r\n\r\n"
              + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
      for (int i = 0; i < request.length(); i++) {
        caller.say(request.substring(i, i + 1));
      }
      assertThat(caller.answer()).isEqualTo("200 abc0123456789abcde\n");
      assertThat(caller.answer()).isEqualTo("200 well");
    }
  }

  @Test
  void chunkIsPassedOnBeforeAllOfItHasCome() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say(
          "PUT /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\nabc");
      assertThat(caller.answer()).isEqualTo("200 first a");
    }
  }

  @Test
  void sizeOfAChunkThatNeverEndsIsNotCollected() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say("PUT /file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;");
      caller.say("x".repeat(10_000));
      assertThat(caller.isClosed()).isTrue();
    }
  }

  @Test
  void headOfVeryManyLinesIsRefused() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say("GET /health HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(1_000));
      assertThat(caller.answer()).startsWith("431");
    }
  }

  @Test
  void headThatIsTooLargeIsRefused() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say("GET /health HTTP/1.1\r\nHost: " + "a".repeat(100_000));
      assertThat(caller.answer()).startsWith("4");
    }
  }

  @Test
  void theLongestIdleMakePlaceForOthers() throws Exception {
    try (var door = TestDoor.open(4, TestDoor.ENDLESS)) {
      var idle = new ArrayList<RawCaller>();
      for (int i = 0; i < 20; i++) {
        idle.add(door.call());
      }
      try (var caller = door.call()) {
        assertThat(caller.ask("GET", "/health", NOTHING)).isEqualTo("200 well");
      }
      assertThat(idle.getFirst().isClosed()).isTrue();
      assertThat(door.said()).hasSize(1).first().asString().contains("at most 4");
      closeAll(idle);
    }
  }

  @Test
  void thoseWhoSayTooLittleMakePlaceWhenOthersWait() throws Exception {
    var pressed = new Patience(LONG, LONG, LONG, LONG, Duration.ofMillis(50));
    try (var door = TestDoor.open(4, pressed)) {
      var slow = new ArrayList<RawCaller>();
      for (int i = 0; i < 10; i++) {
        var half = i % 2 == 0 ? "POST /co" : "POST /code HTTP/1.1\r\nContent-Length: 9\r\n\r\n{";
        slow.add(door.call().say(half));
      }
      try (var caller = door.call()) {
        assertThat(caller.ask("GET", "/health", NOTHING)).isEqualTo("200 well");
      }
      closeAll(slow);
    }
  }

  private static void closeAll(Iterable<RawCaller> callers) throws IOException {
    for (var caller : callers) {
      caller.close();
    }
  }

  @Test
  void headThatTricklesInIsEndedAndToldSo() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.patience(SHORT, LONG));
        var caller = door.call()) {
      var trickle = Thread.ofVirtual().start(() -> trickle(caller));
      assertThat(caller.answer()).startsWith("408");
      assertThat(caller.isClosed()).isTrue();
      trickle.interrupt();
      trickle.join();
    }
  }

  private static void trickle(RawCaller caller) {
    try {
      caller.say("GET /health HTTP/1.1\r\nX: ");
      while (true) {
        caller.say("a");
        Thread.sleep(20);
      }
    } catch (IOException | InterruptedException over) {
      // as it should be
    }
  }

  @Test
  void bodyThatTricklesInIsEndedAndToldSo() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.patience(SHORT, LONG));
        var caller = door.call()) {
      caller.say("POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
      assertThat(caller.answer()).startsWith("408").contains("too_slow");
    }
  }

  @Test
  void fileThatStopsFlowingIsEnded() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.patience(LONG, SHORT));
        var caller = door.call()) {
      caller.say("PUT /file HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc");
      assertThat(caller.answer()).startsWith("408");
    }
  }

  @Test
  void fileMayTakeAsLongAsItFlows() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.patience(SHORT, LONG));
        var caller = door.call()) {
      caller.say("PUT /file HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
      for (var letter : "abcde".split("")) {
        Thread.sleep(SHORT.toMillis() / 2);
        caller.say(letter);
      }
      assertThat(caller.answer()).isEqualTo("200 abcde");
    }
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsSent() throws Exception {
    try (var door = TestDoor.open(8, TestDoor.ENDLESS);
        var caller = door.call()) {
      caller.say("POST /code HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\n");
      assertThat(caller.answer()).startsWith("413").contains("too_large").contains("8 MiB");
    }
  }
}
