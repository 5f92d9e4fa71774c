package husk.local;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One frame of a streamed answer.
public final class Frame {

  /// What a frame carries; the byte stands at its head.
  public enum Kind {
    /// Text for standard output, UTF-8.
    STDOUT('O'),
    /// Text for standard error, UTF-8.
    STDERR('E'),
    /// One event, JSON.
    EVENT('J'),
    /// The result, JSON; the last frame.
    RESULT('R'),
    /// Nothing; says that the daemon is there.
    HEARTBEAT('H'),
    /// A problem, JSON; the last frame.
    PROBLEM('P');

    private static final Kind[] ALL = values();

    private final char mark;

    Kind(char mark) {
      this.mark = mark;
    }

    char mark() {
      return mark;
    }

    /// The kind with this mark, or null.
    static @Nullable Kind of(int mark) {
      for (Kind kind : ALL) {
        if (kind.mark == mark) {
          return kind;
        }
      }
      return null;
    }
  }

  private final Kind kind;
  private final byte[] bytes;

  Frame(Kind kind, byte[] bytes) {
    this.kind = kind;
    this.bytes = bytes;
  }

  public Kind kind() {
    return kind;
  }

  /// The payload itself, not a copy: output passes through here at the speed of a pipe.
  public byte[] bytes() {
    return bytes;
  }

  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
