package husk.kernels;

import husk.model.Ids;
import husk.wire.ConnectionInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// Makes and reads Jupyter's connection files, readable by their owner alone.
public final class ConnectionFiles {
  private ConnectionFiles() {}

  /// For a kernel on this machine that can be reached through Unix sockets in its folder, so that
  /// no port is open and no other user can connect.
  public static ConnectionInfo unix(Path file, Path directory, String kernelName) {
    return write(
        file,
        new ConnectionInfo(
            "ipc",
            directory.resolve("s").toString(),
            1,
            2,
            3,
            4,
            5,
            Ids.fresh() + Ids.fresh(),
            "hmac-sha256",
            kernelName));
  }

  /// For kernels that know only TCP: five free ports of the loopback address.
  public static ConnectionInfo tcp(Path file, String kernelName) {
    var ports = freePorts(5);
    return write(
        file,
        new ConnectionInfo(
            "tcp",
            "127.0.0.1",
            ports[0],
            ports[1],
            ports[2],
            ports[3],
            ports[4],
            Ids.fresh() + Ids.fresh(),
            "hmac-sha256",
            kernelName));
  }

  public static ConnectionInfo read(Path file) throws IOException {
    return ConnectionInfo.parse(Files.readAllBytes(file));
  }

  private static ConnectionInfo write(Path file, ConnectionInfo info) {
    PrivateFiles.write(file, info.toJson());
    return info;
  }

  private static int[] freePorts(int count) {
    var sockets = new ArrayList<ServerSocket>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      for (var socket : sockets) {
        try {
          socket.close();
        } catch (IOException e) {
          // only its number was wanted
        }
      }
    }
  }
}
