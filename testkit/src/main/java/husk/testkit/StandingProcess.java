package husk.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A process that listens on a Unix socket and serves all tests of a run, because starting one for
/// each test costs more than the test.
///
/// A module names its own in `META-INF/services`, so that it stands before the first test and is
/// nobody's leak. Tests that are about its beginning or its end do not borrow it.
public abstract class StandingProcess implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final AtomicReference<Optional<Path>> FOLDER =
      new AtomicReference<>(Optional.empty());

  /// Starts it with its socket in `folder`; closing what is returned ends it.
  protected abstract AutoCloseable start(Path folder) throws IOException;

  /// Lets whoever looks for it in `folder` find the one that stands.
  public static void lend(Path folder) {
    FOLDER.get().ifPresent(standing -> link(standing, folder));
  }

  /// Makes whoever looks in `folder` start one of its own after all.
  public static void takeBack(Path folder) {
    try {
      for (var link : sockets(folder)) {
        Files.delete(link);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final void beforeAll(ExtensionContext context) {
    if (TestPython.isHere()) {
      context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(StandingProcess.class))
          .computeIfAbsent(getClass(), _ -> stand());
    }
  }

  private AutoCloseable stand() {
    try {
      var home = TempHome.create();
      var process = start(home.path());
      FOLDER.set(Optional.of(home.path()));
      return () -> end(process, home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// It takes its socket away when it leaves.
  private static void end(AutoCloseable process, TempHome home) throws Exception {
    FOLDER.set(Optional.empty());
    process.close();
    Eventually.until(PATIENCE, () -> sockets(home.path()).isEmpty(), () -> "it does not leave");
    home.close();
  }

  private static void link(Path standing, Path folder) {
    try {
      for (var socket : sockets(standing)) {
        Files.createSymbolicLink(folder.resolve(socket.getFileName()), socket);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> sockets(Path folder) {
    try (var entries = Files.list(folder)) {
      return entries.filter(entry -> entry.toString().endsWith(".sock")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
