package husk.core;

import husk.kernels.ConnectionFiles;
import husk.kernels.PrivateFiles;
import husk.model.Problem;
import husk.sandboxes.InnerPort;
import husk.spi.Sandbox;
import husk.wire.Channel;
import husk.wire.ConnectionInfo;
import husk.wire.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// How kernels of others are reached in a sandbox: all of them speak TCP, and inside is a loopback
/// that only the sandbox has. The connection file outside names Unix sockets that lead there.
///
/// Husk's own kernel needs none of this: it brings its sockets along when it moves in.
final class InnerPorts {
  /// Below those that the system gives away by itself.
  private static final int FIRST_PORT = 12_000;

  private static final int LAST_PORT = 32_000;

  private final Map<String, List<InnerPort>> open = new ConcurrentHashMap<>();

  /// The connection file as the kernel inside sees it.
  static Path connectionFile(String kernelId) {
    return Path.of("/tmp/.husk-kernel-" + kernelId.substring(0, 12) + ".json");
  }

  /// Gives a kernel that is about to start ports of its own, and the file that says which.
  void prepare(StoredLaunch stored, Sandbox sandbox) {
    var launch = stored.launch();
    close(launch.kernelId());
    try {
      var inside = inside(ConnectionFiles.read(launch.connectionFile())).toJson();
      PrivateFiles.write(note(stored), inside);
      sandbox
          .files()
          .write(
              connectionFile(launch.kernelId()).toString(),
              0600,
              new ByteArrayInputStream(inside.getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new Problem(
              Problem.Code.KERNEL_START_FAILED,
              "cannot bring the connection file into the sandbox: " + e.getMessage())
          .causedBy(e);
    }
  }

  private static ConnectionInfo inside(ConnectionInfo outside) {
    var ports =
        ThreadLocalRandom.current().ints(FIRST_PORT, LAST_PORT).distinct().limit(5).toArray();
    return new ConnectionInfo(
        "tcp",
        "127.0.0.1",
        ports[0],
        ports[1],
        ports[2],
        ports[3],
        ports[4],
        outside.key(),
        outside.signatureScheme(),
        outside.kernelName());
  }

  private static Path note(StoredLaunch stored) {
    return stored.launch().directory().resolve("inside.json");
  }

  /// Sees to it that the sockets outside lead inside, unless another process does.
  void ensure(StoredLaunch stored, Supplier<Sandbox> sandbox) throws IOException {
    if (Files.notExists(note(stored)) || open.containsKey(stored.launch().kernelId())) {
      return;
    }
    var outside = ConnectionFiles.read(stored.launch().connectionFile());
    var inside = ConnectionFiles.read(note(stored));
    if (InnerPort.answers(path(outside, Channel.SHELL))) {
      return;
    }
    var ports = new ArrayList<InnerPort>();
    try {
      for (var channel : Channel.values()) {
        ports.add(InnerPort.open(sandbox, port(inside, channel), path(outside, channel)));
      }
      open.put(stored.launch().kernelId(), ports);
    } catch (IOException e) {
      ports.forEach(InnerPort::close);
      throw e;
    }
  }

  private static Path path(ConnectionInfo info, Channel channel) {
    return switch (info.endpoint(channel)) {
      case Endpoint.Unix unix -> unix.path();
      case Endpoint.Tcp tcp -> throw new IllegalStateException("not a Unix socket: " + tcp);
    };
  }

  private static int port(ConnectionInfo info, Channel channel) {
    return switch (info.endpoint(channel)) {
      case Endpoint.Tcp tcp -> tcp.port();
      case Endpoint.Unix unix -> throw new IllegalStateException("not a port: " + unix);
    };
  }

  void close(String kernelId) {
    var ports = open.remove(kernelId);
    if (ports != null) {
      ports.forEach(InnerPort::close);
    }
  }

  void close() {
    List.copyOf(open.keySet()).forEach(this::close);
  }
}
