package husk.api.accept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/// A caller that says exactly what it is told to, as slowly as it is told to.
final class RawCaller implements AutoCloseable {
  private final Socket socket;

  RawCaller(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
  }

  RawCaller say(String text) throws IOException {
    return say(text.getBytes(ISO_8859_1));
  }

  RawCaller say(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /// The next answer: its status, a blank, and its body.
  String answer() throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        return "the connection ended";
      }
      head.append((char) next);
    }
    return head.substring(9, 12) + " " + body(head.toString());
  }

  private String body(String head) throws IOException {
    for (var line : head.split("\r\n")) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        int length = Integer.parseInt(line.split(":")[1].strip());
        return new String(socket.getInputStream().readNBytes(length), ISO_8859_1);
      }
    }
    return "";
  }

  /// Says a whole request and returns the answer.
  String ask(String method, String target, byte[] body) throws IOException {
    say(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
    say("Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
    return say(body).answer();
  }

  /// Waits until the other end has closed it.
  boolean isClosed() {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
