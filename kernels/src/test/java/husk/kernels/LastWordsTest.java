package husk.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ExecutionEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LastWordsTest {
  private static final int SIZE = 4096;

  @TempDir Path folder;

  private final Cell cell =
      new Cell("execution", OutputLimits.of(1000), ExecutionEvent.Listener.NONE);

  @Test
  void outputsOfTheExecutionAreTold() throws Exception {
    replay(file("id", 0, "stream\n{\"name\": \"stdout\", \"text\": \"last\"}"), "id");
    assertThat(cell.gathered().stdout()).isEqualTo("last");
  }

  @Test
  void outputsOfAnotherExecutionAreNot() throws Exception {
    replay(file("id", 0, "stream\n{\"name\": \"stdout\", \"text\": \"last\"}"), "other");
    assertThat(cell.gathered().stdout()).isEmpty();
  }

  @Test
  void whateverStandsInTheFileNothingIsThrownAndNoMemoryTaken() throws Exception {
    long seed = System.nanoTime();
    System.out.println("fuzzing with seed " + seed);
    var random = new Random(seed);
    var good = file("id", 0, "stream\n{\"name\": \"stdout\", \"text\": \"last\"}");
    for (int i = 0; i < 3000; i++) {
      var bytes = good.clone();
      for (int changes = random.nextInt(40); changes >= 0; changes--) {
        bytes[random.nextInt(200)] = (byte) random.nextInt();
      }
      replay(bytes, "id");
    }
  }

  @Test
  void lengthThatExceedsTheFileEndsTheReading() throws Exception {
    var bytes = file("id", 0, "stream\n{}");
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(116, Integer.MAX_VALUE);
    replay(bytes, "id");
    assertThat(cell.gathered().items()).isEmpty();
  }

  @Test
  void textThatWasInNoMessageYetIsTold() throws Exception {
    replay(unsent(0, 0, 0, 0, "\u00feab\u00ffc\u00fed"), "id");
    assertThat(cell.gathered().stdout()).isEqualTo("lastabd");
    assertThat(cell.gathered().stderr()).isEqualTo("c");
  }

  @Test
  void textOfAMessageThatIsKeptIsNotToldTwice() throws Exception {
    replay(unsent(0, 0, 0, 4, "\u00felastmore"), "id");
    assertThat(cell.gathered().stdout()).isEqualTo("lastmore");
  }

  @Test
  void textOfAMessageThatWasNeverSentIsTold() throws Exception {
    replay(unsent(4, 1, 4, 6, "\u00femore"), "id");
    assertThat(cell.gathered().stdout()).isEqualTo("lastmore");
  }

  @Test
  void whateverNumbersStandBeforeUnsentTextNothingIsThrown() throws Exception {
    long seed = System.nanoTime();
    System.out.println("fuzzing with seed " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      var bytes = unsent(0, 0, 0, 0, "\u00feab\u00ffc\u00fed");
      for (int changes = random.nextInt(20); changes >= 0; changes--) {
        bytes[UnsentText.OFFSET + random.nextInt(60)] = (byte) random.nextInt();
      }
      replay(bytes, "id");
    }
  }

  private static byte[] unsent(long first, long message, long before, long end, String text) {
    var bytes = ByteBuffer.allocate(UnsentText.OFFSET + SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(file("id", 0, "stream\n{\"name\": \"stdout\", \"text\": \"last\"}"));
    var written = text.getBytes(StandardCharsets.ISO_8859_1);
    bytes.position(UnsentText.OFFSET);
    bytes.putLong(written.length).putLong(first).putLong(message).putLong(before).putLong(end);
    bytes.put(written);
    return bytes.array();
  }

  private void replay(byte[] bytes, String messageId) throws Exception {
    Files.write(folder.resolve("lastwords"), bytes);
    LastWords.replay(folder, messageId, cell);
  }

  private static byte[] file(String id, long first, String record) {
    var bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    var text = record.getBytes(StandardCharsets.UTF_8);
    bytes.put(id.getBytes(StandardCharsets.UTF_8)).position(96);
    bytes.putInt(4 + text.length).putLong(first).putLong(first + 1);
    bytes.putInt(text.length).put(text);
    return bytes.array();
  }
}
