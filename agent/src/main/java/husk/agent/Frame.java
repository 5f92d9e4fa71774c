package husk.agent;

/// One piece of the protocol: what kind, and its bytes.
final class Frame {
  /// What either side may send at most; a longer one ends the line.
  static final int LONGEST = 1 << 20;

  /// The most that is put into one frame of data.
  static final int DATA = 64 * 1024;

  static final char REQUEST = 'Q';
  static final char INPUT = 'I';
  static final char END = 'Z';
  static final char SIGNAL = 'S';
  static final char WINDOW = 'W';
  static final char DATA_PIECE = 'D';
  static final char ANSWER = 'A';
  static final char PROBLEM = 'P';
  static final char OUTPUT = 'O';
  static final char ERROR = 'E';
  static final char EXIT = 'X';

  private final char kind;
  private final byte[] payload;

  Frame(char kind, byte[] payload) {
    this.kind = kind;
    this.payload = payload;
  }

  char kind() {
    return kind;
  }

  byte[] payload() {
    return payload;
  }
}
