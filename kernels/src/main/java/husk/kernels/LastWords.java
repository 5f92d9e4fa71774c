package husk.kernels;

import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Reads what a dead kernel had said but not yet sent. The guest's `lastwords.py` writes it and
/// describes the layout.
///
/// The file was written by whatever ran in the kernel, so nothing in it is taken on trust.
public final class LastWords {
  private static final Set<String> COUNTED =
      Set.of(
          "stream",
          "display_data",
          "update_display_data",
          "execute_result",
          "error",
          "clear_output");
  private static final int ID_BYTES = 96;
  private static final int HEADER_BYTES = ID_BYTES + 4 + 8 + 8;
  private static final int LARGEST_FILE = 1 << 20;

  private LastWords() {}

  /// Whether the kernel counts messages of this type.
  public static boolean counts(String type) {
    return COUNTED.contains(type);
  }

  /// Takes one output.
  public interface Hearer {
    /// Hears an output's type and content.
    void hear(String type, JsonNode content);
  }

  /// Tells `cell` the outputs of `messageId` that it has not heard.
  public static void replay(Path directory, String messageId, Cell cell) {
    replay(directory, messageId, cell.heard(), cell::accept);
  }

  /// Tells `hearer` the outputs of `messageId` but the first `heard`.
  public static void replay(Path directory, String messageId, long heard, Hearer hearer) {
    try {
      var file = directory.resolve("lastwords");
      if (Files.isRegularFile(file)) {
        var bytes = ByteBuffer.wrap(beginning(file)).order(ByteOrder.LITTLE_ENDIAN);
        replay(bytes, messageId, heard, hearer);
      }
    } catch (IOException | RuntimeException unreadable) {
      // then there are none
    }
  }

  /// Whatever the kernel started may still make it longer.
  private static byte[] beginning(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(LARGEST_FILE);
    }
  }

  static void replay(ByteBuffer bytes, String messageId, Cell cell) {
    replay(bytes, messageId, cell.heard(), cell::accept);
  }

  private static void replay(ByteBuffer bytes, String messageId, long heard, Hearer hearer) {
    var id = new byte[ID_BYTES];
    bytes.get(id);
    int used = bytes.getInt();
    long index = bytes.getLong();
    long next = bytes.getLong();
    if (!messageId.equals(text(id)) || used < 0 || used > bytes.remaining()) {
      return;
    }
    var unsent = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    bytes.limit(HEADER_BYTES + used);
    replayMessages(bytes, index, next, heard, hearer);
    UnsentText.replay(unsent, Math.max(heard, next), hearer);
  }

  private static void replayMessages(
      ByteBuffer bytes, long first, long next, long heard, Hearer hearer) {
    long index = first;
    while (index < next && bytes.remaining() >= 4) {
      int length = bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        return;
      }
      var record = new byte[length];
      bytes.get(record);
      if (index++ >= heard) {
        accept(record, hearer);
      }
    }
  }

  private static void accept(byte[] record, Hearer hearer) {
    var whole = new String(record, StandardCharsets.UTF_8);
    int line = whole.indexOf('\n');
    var type = line < 0 ? "" : whole.substring(0, line);
    if (counts(type)) {
      try {
        hearer.hear(type, Json.tree(whole.substring(line + 1).getBytes(StandardCharsets.UTF_8)));
      } catch (Problem torn) {
        // the kernel died while it wrote this one
      }
    }
  }

  private static String text(byte[] padded) {
    int end = 0;
    while (end < padded.length && padded[end] != 0) {
      end++;
    }
    return new String(Arrays.copyOf(padded, end), StandardCharsets.UTF_8);
  }
}
