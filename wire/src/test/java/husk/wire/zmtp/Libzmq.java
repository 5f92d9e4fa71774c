package husk.wire.zmtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import husk.testkit.TestPython;
import husk.wire.Endpoint;
import husk.wire.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// The real ZeroMQ library, in a Python process that ends when its standard input does.
final class Libzmq implements AutoCloseable {
  private final Process process;
  private final JsonNode endpoints;

  Libzmq(String router, String rep, String xpub) throws Exception {
    var script = Objects.requireNonNull(Libzmq.class.getResource("peer.py"));
    process =
        new ProcessBuilder(
                TestPython.find().toString(), Path.of(script.toURI()).toString(), router, rep, xpub)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
    if (line == null) {
      close();
      throw new IOException("the Python peer did not start");
    }
    endpoints = Json.tree(line.getBytes(UTF_8));
  }

  Endpoint endpoint(String socketType) {
    var address = endpoints.path(socketType).stringValue();
    if (address.startsWith("ipc://")) {
      return new Endpoint.Unix(Path.of(address.substring("ipc://".length())));
    }
    var uri = URI.create(address);
    return new Endpoint.Tcp(uri.getHost(), uri.getPort());
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        throw new IOException("the Python peer did not end with its standard input");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the peer's end", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
