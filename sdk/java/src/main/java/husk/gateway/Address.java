package husk.gateway;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.WebSocket;
import java.util.Optional;

/// Where a gateway is, and what to show it.
///
/// @param token an API key, or the token of a Jupyter server
record Address(String host, int port, boolean tls, Optional<String> token) {

  URI http(String path) {
    return URI.create((tls ? "https" : "http") + authority() + path);
  }

  URI webSocket(String path) {
    return URI.create((tls ? "wss" : "ws") + authority() + path);
  }

  private String authority() {
    var name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    return "://" + name + ":" + port;
  }

  HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(http(path)).header("Content-Type", "application/json");
    token.ifPresent(it -> request.header("Authorization", "token " + it));
    return request;
  }

  void authorize(WebSocket.Builder builder) {
    token.ifPresent(it -> builder.header("Authorization", "token " + it));
  }

  /// Without the token.
  @Override
  public String toString() {
    return http("/").toString();
  }
}
