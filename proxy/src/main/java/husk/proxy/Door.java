package husk.proxy;

import husk.model.Problem;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The Unix socket that connections come in by: there for its user alone, and gone when closed. Its
/// folder must be private too: until the socket has its mode, the folder is what guards it.
final class Door implements Closeable {
  private static final int BACKLOG = 512;

  private final Path path;
  private final ServerSocketChannel channel;
  private final @Nullable Object identity;

  private Door(Path path, ServerSocketChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.identity = identity(path);
  }

  /// Takes the place of a socket that nobody listens on any more.
  static Door open(Path path) {
    try {
      removeStale(path);
      var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return new Door(path, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw unavailable(path, String.valueOf(e.getMessage())).causedBy(e);
    }
  }

  private static void removeStale(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!attributes(path).isOther()) {
      throw unavailable(path, "there is a file that is no socket");
    }
    if (isListenedOn(path)) {
      throw unavailable(path, "somebody listens there");
    }
    Files.delete(path);
  }

  private static boolean isListenedOn(Path path) {
    try (var _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static Problem unavailable(Path path, String why) {
    return new Problem(
        Problem.Code.ADDRESS_UNAVAILABLE,
        "the egress proxy cannot listen on %s: %s".formatted(path, why),
        "make sure that its folder exists, is yours, and holds no other file of that name");
  }

  SocketChannel accept() throws IOException {
    return channel.accept();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /// Leaves alone what somebody else has put in its place.
  @Override
  public void close() throws IOException {
    channel.close();
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && Objects.equals(identity, identity(path))) {
      Files.deleteIfExists(path);
    }
  }

  private static @Nullable Object identity(Path path) throws IOException {
    return attributes(path).fileKey();
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
