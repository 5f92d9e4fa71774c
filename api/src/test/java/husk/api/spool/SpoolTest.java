package husk.api.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class SpoolTest {
  private static final SpoolLimits SMALL = new SpoolLimits(64, 256, 4096);

  private final List<Spool> spools = new ArrayList<>();
  private TempHome home;

  @BeforeEach
  void open() throws IOException {
    home = TempHome.create();
  }

  @AfterEach
  void close() throws IOException {
    spools.forEach(Spool::close);
    assertEquals(0, files(), "files of closed spools");
    home.close();
  }

  private Spool spool(SpoolLimits limits) {
    var spool = new Spool(home.path(), limits);
    spools.add(spool);
    return spool;
  }

  private long files() throws IOException {
    try (var entries = Files.list(home.path())) {
      return entries.count();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String read(SpoolReader reader) throws InterruptedException {
    return new String(reader.next().orElseThrow(), StandardCharsets.UTF_8);
  }

  @Test
  void recordsAreNumberedFromOneAndReadInOrder() throws InterruptedException {
    var spool = spool(SMALL);
    assertEquals(1, spool.append(bytes("a")));
    assertEquals(2, spool.append(bytes("")));
    assertEquals(3, spool.append(bytes("c")));
    var reader = spool.reader(1);
    assertEquals(List.of("a", "", "c"), List.of(read(reader), read(reader), read(reader)));
    assertEquals(4, reader.sequence());
  }

  @Test
  void whatMemoryDoesNotHoldComesBackFromDisk() throws Exception {
    var spool = spool(SMALL);
    for (int i = 1; i <= 100; i++) {
      spool.append(bytes("record number " + i));
    }
    assertTrue(files() > 5, () -> "too few files for 1,700 bytes beyond 256 in memory");
    var reader = spool.reader(1);
    for (int i = 1; i <= 100; i++) {
      assertEquals("record number " + i, read(reader));
    }
  }

  @Test
  void eachReaderHasItsOwnPlaceAndMayStartAnywhere() throws InterruptedException {
    var spool = spool(SMALL);
    for (int i = 1; i <= 50; i++) {
      spool.append(bytes("r" + i));
    }
    var late = spool.reader(37);
    var early = spool.reader(1);
    assertEquals("r37", read(late));
    assertEquals("r1", read(early));
    assertEquals("r38", read(late));
    assertEquals("r2", read(early));
  }

  @Test
  void aReaderWaitsForARecordAndForTheEnd() throws Exception {
    var spool = spool(SMALL);
    var reader = spool.reader(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Optional<byte[]>> waiting = threads.submit((Callable<Optional<byte[]>>) reader::next);
      assertFalse(reader.await(Duration.ofMillis(20)));
      spool.append(bytes("at last"));
      assertEquals("at last", new String(waiting.get().orElseThrow(), StandardCharsets.UTF_8));
      Future<Optional<byte[]>> ending = threads.submit((Callable<Optional<byte[]>>) reader::next);
      spool.end();
      assertEquals(Optional.empty(), ending.get());
    }
  }

  @Test
  void whatWasThereBeforeTheEndIsReadBeforeTheEnd() throws InterruptedException {
    var spool = spool(SMALL);
    spool.append(bytes("last"));
    spool.end();
    assertEquals(0, spool.append(bytes("too late")));
    var reader = spool.reader(1);
    assertEquals("last", read(reader));
    assertEquals(Optional.empty(), reader.next());
    assertEquals(Optional.empty(), spool.reader(99).next());
  }

  @Test
  void whatIsForgottenTakesNoSpaceAndIsRefusedByNumber() throws Exception {
    var spool = spool(SMALL);
    for (int i = 1; i <= 100; i++) {
      spool.append(bytes("record number " + i));
    }
    spool.forgetUpTo(100);
    assertEquals(0, spool.size());
    assertEquals(0, files());
    assertEquals(101, spool.first());
    var problem = assertThrows(Problem.class, () -> spool.reader(7).next());
    assertEquals("number 7 is no longer kept; the oldest is 101", problem.text());
    spool.append(bytes("new"));
    assertEquals("new", read(spool.reader(101)));
  }

  @Test
  void aReaderMaySkipWhatWasForgottenInTheMiddleOfAPage() throws InterruptedException {
    var spool = spool(SMALL);
    for (int i = 1; i <= 5; i++) {
      spool.append(bytes("r" + i));
    }
    var reader = spool.reader(1);
    assertEquals("r1", read(reader));
    spool.forgetUpTo(3);
    reader.skipForgotten();
    assertTrue(reader.ready());
    assertEquals("r4", read(reader));
    reader.skipForgotten();
    assertEquals("r5", read(reader));
    assertFalse(reader.ready());
  }

  @Test
  void forgettingMoreThanThereIsDoesNotForgetWhatComesLater() throws InterruptedException {
    var spool = spool(SMALL);
    spool.append(bytes("a"));
    spool.forgetUpTo(1000);
    assertEquals(2, spool.append(bytes("b")));
    assertEquals("b", read(spool.reader(2)));
  }

  @Test
  void forgettingPartOfAPageKeepsTheRest() throws InterruptedException {
    var spool = spool(SMALL);
    spool.append(bytes("a"));
    spool.append(bytes("b"));
    spool.append(bytes("c"));
    spool.forgetUpTo(2);
    assertThrows(Problem.class, () -> spool.reader(2).next());
    assertEquals("c", read(spool.reader(3)));
  }

  @Test
  void beyondTheDiskLimitNothingMoreIsTakenAndNothingTakenIsLost() throws InterruptedException {
    var spool = spool(SMALL);
    var record = new byte[100];
    var problem =
        assertThrows(
            Problem.class,
            () -> {
              while (true) {
                spool.append(record);
              }
            });
    assertEquals(Problem.Code.CAPACITY_EXHAUSTED, problem.code());
    long kept = spool.next() - 1;
    assertTrue(kept >= 40, () -> kept + " records of 104 bytes within 4,352");
    var reader = spool.reader(1);
    for (long i = 0; i < kept; i++) {
      assertEquals(100, reader.next().orElseThrow().length);
    }
    spool.forgetUpTo(kept);
    assertEquals(kept + 1, spool.append(record), "there is room again");
  }

  @Test
  void aRecordLargerThanAPagePassesThroughDisk() throws InterruptedException {
    var spool = spool(new SpoolLimits(64, 0, 1 << 20));
    var large = new byte[100_000];
    new Random(7).nextBytes(large);
    spool.append(large);
    spool.append(bytes("after"));
    var reader = spool.reader(1);
    org.junit.jupiter.api.Assertions.assertArrayEquals(large, reader.next().orElseThrow());
    assertEquals("after", read(reader));
  }

  @Test
  void aDirectoryThatIsGoneIsAProblemAndNoCrash() {
    var spool = new Spool(home.path().resolve("missing"), SMALL);
    var problem =
        assertThrows(
            Problem.class,
            () -> {
              for (int i = 0; i < 1000; i++) {
                spool.append(new byte[32]);
              }
            });
    assertEquals(Problem.Code.CAPACITY_EXHAUSTED, problem.code());
    spool.close();
  }

  @Test
  void closingWakesReadersAndRemovesFiles() throws Exception {
    var spool = spool(SMALL);
    for (int i = 1; i <= 100; i++) {
      spool.append(bytes("record number " + i));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var reader = spool.reader(101);
      Future<Optional<byte[]>> waiting = threads.submit((Callable<Optional<byte[]>>) reader::next);
      spool.close();
      assertEquals(Optional.empty(), waiting.get());
    }
    assertEquals(0, files());
  }

  @Test
  void oneWriterAndManyReadersAtOnceSeeEveryRecordInOrder() throws Exception {
    var spool = spool(new SpoolLimits(256, 1024, 1 << 24));
    int records = 20_000;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var readers = new ArrayList<Future<Integer>>();
      for (int r = 0; r < 4; r++) {
        readers.add(threads.submit(() -> countInOrder(spool.reader(1))));
      }
      for (int i = 1; i <= records; i++) {
        spool.append(bytes("r" + i));
      }
      spool.end();
      for (var reader : readers) {
        assertEquals(records, reader.get());
      }
    }
  }

  private static int countInOrder(SpoolReader reader) throws InterruptedException {
    int count = 0;
    for (var record = reader.next(); record.isPresent(); record = reader.next()) {
      count++;
      assertEquals("r" + count, new String(record.get(), StandardCharsets.UTF_8));
    }
    return count;
  }
}
