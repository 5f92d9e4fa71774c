package husk.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;

/// Runs small test classes that share something that stands.
class StandingProcessTest {
  private static final List<String> HAPPENED = new ArrayList<>();
  private static final List<Path> FOLDERS = new ArrayList<>();

  @BeforeEach
  void forget() {
    HAPPENED.clear();
    FOLDERS.clear();
  }

  @Test
  void startsOnceForAllClassesAndIsFoundByEachTestUntilTakenBackAndEndsWithTheLast() {
    run(Borrows.class, BorrowsToo.class);
    assertThat(HAPPENED).containsExactly("started", "reached", "reached", "ended");
    assertThat(FOLDERS).hasSize(1).noneMatch(Files::exists);
  }

  @Test
  void nothingIsLentWhereNothingStands() throws IOException {
    try (var home = TempHome.create()) {
      StandingProcess.lend(home.path());
      assertThat(home.path()).isEmptyDirectory();
    }
  }

  /// Every test passes, in the eyes of the leak detector too.
  private static void run(Class<?>... classes) {
    var engine = EngineTestKit.engine("junit-jupiter");
    for (var one : classes) {
      engine.selectors(selectClass(one));
    }
    var events = engine.execute().testEvents();
    events.assertStatistics(counts -> counts.succeeded(classes.length).failed(0));
  }

  static final class Listener extends StandingProcess {
    @Override
    protected AutoCloseable start(Path folder) throws IOException {
      HAPPENED.add("started");
      FOLDERS.add(folder);
      var socket = folder.resolve("it.sock");
      var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
      return () -> {
        server.close();
        Files.delete(socket);
        HAPPENED.add("ended");
      };
    }
  }

  @ExtendWith({Listener.class, LeakDetector.class})
  static class Borrows {
    @Test
    void reaches() throws IOException {
      try (var home = TempHome.create()) {
        StandingProcess.lend(home.path());
        SocketChannel.open(UnixDomainSocketAddress.of(home.resolve("it.sock"))).close();
        HAPPENED.add("reached");
        StandingProcess.takeBack(home.path());
        assertThat(home.path()).isEmptyDirectory();
      }
    }
  }

  static final class BorrowsToo extends Borrows {}
}
