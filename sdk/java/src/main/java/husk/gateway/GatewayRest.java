package husk.gateway;

import husk.model.Problem;
import husk.wire.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/// The HTTP part of Jupyter's API, as far as one kernel needs it.
final class GatewayRest {
  /// A kernel may take its time to start, or to stop.
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Address address;
  private final HttpClient http;

  GatewayRest(Address address, HttpClient http) {
    this.address = address;
    this.http = http;
  }

  /// Starts a kernel and gives its id.
  ///
  /// @throws IOException if nobody answers, or not yet: it may be asked again
  String create(String kernel) throws IOException {
    var reply = send("POST", "/api/kernels", Json.text(Map.of("name", kernel)));
    var id = Json.tree(reply.body().getBytes(StandardCharsets.UTF_8)).path("id");
    if (!id.isString()) {
      throw refused("starting a kernel", reply);
    }
    return id.asString();
  }

  void interrupt(String kernelId) throws IOException {
    send("POST", "/api/kernels/" + kernelId + "/interrupt", "");
  }

  boolean exists(String kernelId) throws IOException {
    return exchange("GET", "/api/kernels/" + kernelId, "").statusCode() != 404;
  }

  /// Ends a kernel; one that is gone already is no matter.
  void delete(String kernelId) throws IOException {
    var reply = exchange("DELETE", "/api/kernels/" + kernelId, "");
    if (reply.statusCode() != 404) {
      check("DELETE", reply);
    }
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException {
    return check(method + " " + path, exchange(method, path, body));
  }

  private HttpResponse<String> check(String what, HttpResponse<String> reply) throws IOException {
    if (reply.statusCode() >= 500) {
      throw new IOException(what + " was answered " + status(reply));
    }
    if (reply.statusCode() >= 300) {
      throw refused(what, reply);
    }
    return reply;
  }

  private HttpResponse<String> exchange(String method, String path, String body)
      throws IOException {
    var request =
        address
            .request(path)
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private Problem refused(String what, HttpResponse<String> reply) {
    var code =
        switch (reply.statusCode()) {
          case 401 -> Problem.Code.UNAUTHENTICATED;
          case 403 -> Problem.Code.FORBIDDEN;
          case 404 -> Problem.Code.KERNEL_NOT_FOUND;
          case 429 -> Problem.Code.CAPACITY_EXHAUSTED;
          default -> Problem.Code.INVALID_REQUEST;
        };
    return new Problem(
        code,
        what + " was refused by the gateway at " + address + ": " + status(reply),
        code == Problem.Code.UNAUTHENTICATED
            ? "give the gateway's key with `token`"
            : "look at the gateway's log");
  }

  private static String status(HttpResponse<String> reply) {
    var body = reply.body().strip();
    var said = body.length() > 500 ? body.substring(0, 500) + "…" : body;
    return reply.statusCode() + (said.isEmpty() ? "" : " " + said);
  }
}
