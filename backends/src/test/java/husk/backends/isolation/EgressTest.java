package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import husk.contract.Ran;
import husk.proxy.EgressEvent;
import husk.proxy.EgressPolicy;
import husk.proxy.EgressProxy;
import husk.proxy.EgressRule;
import husk.proxy.Resolver;
import husk.spi.Sandbox;
import husk.spi.SandboxPlace;
import husk.spi.SandboxSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The one way out, from the program inside to the server outside.
final class EgressTest extends Battlefield {
  private final AtomicReference<EgressPolicy> policy = new AtomicReference<>(EgressPolicy.OPEN);
  private final List<EgressEvent> events = new CopyOnWriteArrayList<>();
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.2", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var body = "outside".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopServing() {
    server.stop(0);
  }

  private String address() {
    return "127.0.0.2:" + server.getAddress().getPort();
  }

  private void allow(String... rules) {
    policy.set(
        new EgressPolicy(
            false, List.of(rules).stream().map(EgressRule::parse).toList(), List.of()));
  }

  private EgressProxy proxy(SandboxPlace place) {
    return EgressProxy.open(place.proxySocket(), policy::get, Resolver.system(), events::add);
  }

  private String fetched(Sandbox sandbox, String... options) throws IOException {
    return Ran.script(
            sandbox,
            "curl -s -m 20 "
                + String.join(" ", options)
                + " http://"
                + address()
                + "/; echo \" $?\"")
        .said();
  }

  @ParameterizedTest
  @EnumSource(names = {"PERMISSIVE", "MODERATE"})
  void whatARuleAllowsIsReachedByTheUsualVariables(Place place) throws IOException {
    allow(address());
    var where = walls.place();
    try (var _ = proxy(where)) {
      var sandbox = walls.start(SandboxSpec.of("bubblewrap", place.profile()), where);
      assertThat(fetched(sandbox)).isEqualTo("outside 0");
      assertThat(fetched(sandbox, "-p")).as("through a tunnel").isEqualTo("outside 0");
      assertThat(fetched(sandbox, "-x \"$ALL_PROXY\"")).as("SOCKS").isEqualTo("outside 0");
      assertThat(fetched(sandbox, "--noproxy '*'")).as("past the proxy").isEqualTo("7");
    }
    assertThat(events).hasSize(3).allMatch(EgressEvent::allowed);
  }

  @ParameterizedTest
  @EnumSource(names = {"PERMISSIVE", "MODERATE"})
  void whatNoRuleAllowsIsRefusedAndSaysSo(Place place) throws IOException {
    var where = walls.place();
    try (var _ = proxy(where)) {
      var sandbox = walls.start(SandboxSpec.of("bubblewrap", place.profile()), where);
      assertThat(fetched(sandbox)).as("an open policy opens no private address").contains("Husk:");
      allow("127.0.0.2:1");
      assertThat(fetched(sandbox)).contains("Husk:").endsWith(" 0");
      assertThat(fetched(sandbox, "-p")).isEqualTo("56");
    }
    assertThat(events).hasSize(3).noneMatch(EgressEvent::allowed);
    assertThat(events.getLast().process()).isEqualTo("curl");
    assertThat(events.getLast().pid()).isPositive();
  }

  @Test
  void policyChangesUnderARunningSandbox() throws IOException {
    var where = walls.place();
    try (var _ = proxy(where)) {
      var sandbox = walls.start(SandboxSpec.of("bubblewrap", Place.MODERATE.profile()), where);
      allow("example.com");
      assertThat(fetched(sandbox)).contains("Husk:");
      allow(address());
      assertThat(fetched(sandbox)).isEqualTo("outside 0");
    }
  }

  @Test
  void restrictiveHasNoWayOutAtAll() throws IOException {
    allow(address());
    var where = walls.place();
    try (var _ = proxy(where)) {
      var sandbox = walls.start(SandboxSpec.of("bubblewrap", Place.RESTRICTIVE.profile()), where);
      assertThat(fetched(sandbox)).isEqualTo("7");
      for (int port : new int[] {3128, 1080}) {
        Attack.of("return socket.create_connection(('127.0.0.1', int(args[0])), 5)", port)
            .isRefusedIn(sandbox);
      }
    }
    assertThat(events).isEmpty();
  }

  @Test
  void withoutTheProxyNothingIsReached() throws IOException {
    assertThat(fetched(walled(Place.MODERATE))).isIn("52", "56");
  }
}
