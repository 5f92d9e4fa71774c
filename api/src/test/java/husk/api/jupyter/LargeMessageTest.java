package husk.api.jupyter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Messages that are large beside the memory there is.
@ExtendWith(LeakDetector.class)
final class LargeMessageTest {
  private TestServer server;
  private String kernel;

  @BeforeEach
  void start() {
    server = new TestServer();
    kernel = server.kernel();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aLargeMessageReachesManyClientsWithoutAllOfItBeingInMemoryForEach() throws IOException {
    long size = Math.min(Runtime.getRuntime().maxMemory() / 10, 100 << 20);
    var clients = new ArrayList<RawClient>();
    for (int i = 0; i < 8; i++) {
      clients.add(new RawClient(server, kernel, "?session_id=" + i, 0));
    }
    try (var client = server.connect(kernel, "asking")) {
      client.run("pass");
      client.execute("'x' * " + size);
      for (var other : clients) {
        assertTrue(largest(other) > size, "a client did not get it");
        other.close();
      }
    }
  }

  /// The size of the largest frame up to the first large one.
  private static long largest(RawClient client) throws IOException {
    while (true) {
      long size = client.skip();
      if (size > 1 << 20) {
        return size;
      }
    }
  }

  @Test
  void whatIsTooLargeIsSaidToBeMissing() {
    long size = Math.min(Runtime.getRuntime().maxMemory() / 5 * 2, 1 << 30);
    try (var client = server.connect(kernel, "s")) {
      var messages = client.run("'x' * " + size);
      var printed = Client.printed(messages);
      assertTrue(printed.contains("too large"), printed);
      assertEquals("ok", messages.getLast().content().path("status").asString());
      assertEquals("1\n", client.printed("print(1)"));
    }
  }
}
