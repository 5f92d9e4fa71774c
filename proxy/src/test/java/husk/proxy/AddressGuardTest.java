package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names that lead where no name should.
@ExtendWith(LeakDetector.class)
@Timeout(240)
final class AddressGuardTest {

  @Test
  void refusesANameThatResolvesToThisMachine() throws IOException {
    try (var upstream = Upstream.echoingHeads();
        var sandbox = Sandbox.allowing("good.example").name("good.example", "127.0.0.1")) {
      var answer =
          sandbox.exchange(
              "GET http://good.example:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port()));
      assertThat(answer)
          .startsWith("HTTP/1.1 403 ")
          .contains("X-Husk-Denied: address-not-public")
          .contains("127.0.0.1 is a loopback address, and no rule names that address")
          .contains("A rule for a name does not open such an address.")
          .endsWith("husk sandbox allow demo 127.0.0.1:%d\n".formatted(upstream.port()));
      assertThat(upstream.visitors()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "169.254.169.254",
        "168.63.129.16",
        "[::ffff:168.63.129.16]",
        "10.0.0.1",
        "192.168.0.1",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "0.0.0.0",
        "[::]",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255"
      })
  void refusesSuchAddressesAlsoWhenEverythingIsOpen(String host) throws IOException {
    var open = new EgressPolicy(true, Sandbox.rules("*"), List.of());
    try (var sandbox = Sandbox.with(open)) {
      assertThat(sandbox.exchange("GET http://%s:9/ HTTP/1.1\r\n\r\n".formatted(host)))
          .contains("X-Husk-Denied: address-not-public");
      assertThat(sandbox.exchange("CONNECT %s:9 HTTP/1.1\r\n\r\n".formatted(host)))
          .contains("X-Husk-Denied: address-not-public");
    }
  }

  @Test
  void refusesAnswersThatMixPublicAndPrivateAddresses() throws IOException {
    try (var upstream = Upstream.echoingHeads();
        var sandbox =
            Sandbox.allowing("mixed.example", "127.0.0.1")
                .name("mixed.example", "127.0.0.1", "10.0.0.1")) {
      var answer =
          sandbox.exchange(
              "GET http://mixed.example:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port()));
      assertThat(answer).startsWith("HTTP/1.1 403 ").contains("10.0.0.1 is a private address");
      assertThat(upstream.visitors()).isZero();
    }
  }

  @Test
  void refusesANameWhoseAddressIsDenied() throws IOException {
    var policy = new EgressPolicy(true, Sandbox.rules("127.0.0.0/8"), Sandbox.rules("127.0.0.7"));
    try (var sandbox = Sandbox.with(policy).name("a.example", "127.0.0.7")) {
      assertThat(sandbox.exchange("GET http://a.example/ HTTP/1.1\r\n\r\n"))
          .contains("X-Husk-Denied: denied")
          .contains("the rule '127.0.0.7' denies it");
    }
  }

  @Test
  void goesToThePortThatTheRuleForTheAddressNames() throws IOException {
    try (var upstream = Upstream.echoingHeads();
        var sandbox = Sandbox.allowing("a.example", "127.0.0.1:1").name("a.example", "127.0.0.1")) {
      assertThat(
              sandbox.exchange(
                  "GET http://a.example:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port())))
          .startsWith("HTTP/1.1 403 ");
    }
  }

  /// The second answer leads elsewhere; there must be no second question within a request, and the
  /// next request must not trust the first answer.
  @Test
  void isNotFooledByANameThatChangesItsAddress() throws IOException {
    var questions = new AtomicInteger();
    Resolver rebinding =
        _ -> {
          var address = questions.getAndIncrement() == 0 ? "127.0.0.2" : "127.0.0.1";
          return List.of(InetAddress.ofLiteral(address));
        };
    var seen = new CopyOnWriteArrayList<EgressEvent>();
    try (var home = TempHome.create();
        var allowed = Upstream.start("127.0.0.2", socket -> Upstream.answer(socket, "\r\nfirst"));
        var _ =
            EgressProxy.open(
                home.resolve("s"),
                () -> Sandbox.policy("rebind.example", "127.0.0.2"),
                rebinding,
                seen::add)) {
      var request = "GET http://rebind.example:%d/ HTTP/1.1\r\n\r\n".formatted(allowed.port());
      try (var client = Client.introduced(home.resolve("s"))) {
        client.send(request);
        assertThat(client.readAll()).endsWith("first");
        assertThat(questions).hasValue(1);
      }
      try (var client = Client.introduced(home.resolve("s"))) {
        client.send(request);
        assertThat(client.readAll()).contains("X-Husk-Denied: address-not-public");
      }
      assertThat(allowed.visitors()).isOne();
      assertThat(seen).extracting(EgressEvent::allowed).containsExactly(true, false);
    }
  }

  @Test
  void triesTheOtherAddressesOfANameWhenOneDoesNotAnswer() throws IOException {
    try (var upstream = Upstream.start("127.0.0.3", socket -> Upstream.answer(socket, "\r\nhere"));
        var sandbox =
            Sandbox.allowing("two.example", "127.0.0.0/8")
                .name("two.example", "127.0.0.2", "127.0.0.3")) {
      assertThat(
              sandbox.exchange(
                  "GET http://two.example:%d/ HTTP/1.1\r\n\r\n".formatted(upstream.port())))
          .endsWith("here");
    }
  }

  @Test
  void resolvesWithTheMachinesOwnResolverByDefault() throws Exception {
    assertThat(Resolver.system().resolve("localhost"))
        .isNotEmpty()
        .allMatch(InetAddress::isLoopbackAddress);
  }
}
