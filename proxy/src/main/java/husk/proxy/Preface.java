package husk.proxy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/// How the sandbox's first process introduces a connection: one line that says who asks. It is
/// hearsay, for the events alone; nothing is decided by it.
record Preface(long pid, String process) {
  static final Preface UNKNOWN = new Preface(0, "");

  private static final int LONGEST = 512;
  private static final int LONGEST_NAME = 64;
  private static final Pattern LINE =
      Pattern.compile("HUSK/1 pid=([0-9]{1,10}) comm=([!-~]*) via=(?:http|socks)");

  /// Empty if it is anything but a preface.
  static Optional<Preface> read(Peer client) throws IOException {
    var line = new StringBuilder();
    while (line.length() < LONGEST) {
      int next = client.read();
      if (next == '\n') {
        return parse(line.toString());
      }
      if (next < 0) {
        return Optional.empty();
      }
      line.append((char) next);
    }
    return Optional.empty();
  }

  private static Optional<Preface> parse(String line) {
    var match = LINE.matcher(line);
    return match.matches()
        ? Optional.of(new Preface(Long.parseLong(match.group(1)), name(match.group(2))))
        : Optional.empty();
  }

  private static String name(String escaped) {
    var unescaped =
        Pattern.compile("%([0-9a-fA-F]{2})")
            .matcher(escaped)
            .replaceAll(it -> character(Integer.parseInt(it.group(1), 16)));
    return Printable.text(unescaped, LONGEST_NAME);
  }

  private static String character(int b) {
    var text = new String(new byte[] {(byte) b}, StandardCharsets.ISO_8859_1);
    return java.util.regex.Matcher.quoteReplacement(text);
  }
}
