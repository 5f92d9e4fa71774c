package husk.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One request, written by hand: Java's client refuses to lie about `Host` and `Origin`.
final class RawHttp {
  private RawHttp() {}

  /// The answer's status.
  static int status(int port, String method, String target, String... headers) {
    return Integer.parseInt(ask(port, method, target, headers).split(" ")[1]);
  }

  /// The whole answer.
  static String ask(int port, String method, String target, String... headers) {
    var head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    for (var header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Length: 0\r\nConnection: close\r\n\r\n");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The first bytes of the answer to a request that need not end the connection.
  static String head(int port, String target, List<String> headers) {
    var head = "GET " + target + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
