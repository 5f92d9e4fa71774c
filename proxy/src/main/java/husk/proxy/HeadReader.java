package husk.proxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads the lines of a message's head. A line ends with CR LF and nothing else, contains no
/// control characters, and does not go on in the next one: servers disagree on all of these.
final class HeadReader {
  private final Peer peer;
  private int left;

  HeadReader(Peer peer, int limit) {
    this.peer = peer;
    this.left = limit;
  }

  /// The lines up to the empty one, which is not among them.
  List<String> lines() throws IOException, Refusal {
    var lines = new ArrayList<String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      if (line.startsWith(" ") || line.startsWith("\t")) {
        throw Refusal.malformed("a header that continues on a second line");
      }
      lines.add(line);
    }
    return lines;
  }

  String line() throws IOException, Refusal {
    var line = new StringBuilder(64);
    while (true) {
      int c = next();
      if (c == '\r') {
        if (next() != '\n') {
          throw Refusal.malformed("a carriage return inside a line");
        }
        return line.toString();
      }
      if ((c < ' ' && c != '\t') || c == 0x7f) {
        throw Refusal.malformed("a control character or bare line feed in the head");
      }
      line.append((char) c);
    }
  }

  private int next() throws IOException, Refusal {
    if (left-- == 0) {
      throw new Refusal(Reason.TOO_LARGE, "", "the head of the request is too large", "");
    }
    int c = peer.read();
    if (c < 0) {
      throw Refusal.malformed("the head ends in the middle");
    }
    return c;
  }
}
