package husk.wire;

import husk.model.Problem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// Jupyter's connection file: where a kernel's five channels are, and the key that signs its
/// messages.
///
/// @param transport `tcp` or `ipc`
/// @param ip an address; for `ipc` the beginning of the sockets' paths
/// @param shellPort a TCP port; for `ipc` the end of the socket's path, likewise the other ports
/// @param key signs messages; empty for unsigned ones
/// @param signatureScheme such as `hmac-sha256`
/// @param kernelName the kernelspec's name, or empty
public record ConnectionInfo(
    String transport,
    String ip,
    int shellPort,
    int iopubPort,
    int stdinPort,
    int controlPort,
    int hbPort,
    String key,
    String signatureScheme,
    String kernelName) {

  private static final int LARGEST_PORT = 65535;

  /// Refuses a transport or a port that cannot be.
  public ConnectionInfo {
    if (!transport.equals("tcp") && !transport.equals("ipc")) {
      throw invalid("transport `" + transport + "` is neither `tcp` nor `ipc`");
    }
    for (int port : new int[] {shellPort, iopubPort, stdinPort, controlPort, hbPort}) {
      if (port < 0 || (port > LARGEST_PORT && transport.equals("tcp"))) {
        throw invalid("port " + port + " is out of range");
      }
    }
  }

  /// Reads a connection file, also one with keys unknown here.
  public static ConnectionInfo parse(byte[] json) {
    var file = Json.tree(json);
    if (!file.isObject()) {
      throw invalid("it is not a JSON object");
    }
    return new ConnectionInfo(
        text(file, "transport", "tcp"),
        text(file, "ip", "127.0.0.1"),
        port(file, "shell_port"),
        port(file, "iopub_port"),
        port(file, "stdin_port"),
        port(file, "control_port"),
        port(file, "hb_port"),
        text(file, "key", ""),
        text(file, "signature_scheme", "hmac-sha256"),
        text(file, "kernel_name", ""));
  }

  /// The connection file, laid out as Jupyter lays it out.
  public String toJson() {
    var file = Json.MAPPER.createObjectNode();
    file.put("shell_port", shellPort);
    file.put("iopub_port", iopubPort);
    file.put("stdin_port", stdinPort);
    file.put("control_port", controlPort);
    file.put("hb_port", hbPort);
    file.put("ip", ip);
    file.put("key", key);
    file.put("transport", transport);
    file.put("signature_scheme", signatureScheme);
    file.put("kernel_name", kernelName);
    return new PythonPrinter(false).print(file);
  }

  /// Where one channel listens.
  public Endpoint endpoint(Channel channel) {
    int port =
        switch (channel) {
          case SHELL -> shellPort;
          case IOPUB -> iopubPort;
          case STDIN -> stdinPort;
          case CONTROL -> controlPort;
          case HEARTBEAT -> hbPort;
        };
    if (transport.equals("tcp")) {
      return new Endpoint.Tcp(ip, port);
    }
    try {
      return new Endpoint.Unix(Path.of(ip + "-" + port));
    } catch (InvalidPathException e) {
      throw invalid("its path cannot be one: " + e.getReason()).causedBy(e);
    }
  }

  /// Without the key, so that a log never holds it.
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s://%s (shell %d, iopub %d)", transport, ip, shellPort, iopubPort);
  }

  private static String text(JsonNode file, String name, String absent) {
    var value = file.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return absent;
    }
    if (!value.isString()) {
      throw invalid("its `" + name + "` is not a string");
    }
    return value.stringValue();
  }

  private static int port(JsonNode file, String name) {
    var value = file.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToInt()) {
      throw invalid("its `" + name + "` is missing or not a port");
    }
    return value.intValue();
  }

  private static Problem invalid(String why) {
    return new Problem(Problem.Code.INVALID_REQUEST, "the connection file cannot be used: " + why);
  }
}
