package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EgressRuleTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          example.com                   | example.com
          Example.COM.                  | example.com
          example.com:443               | example.com:443
          example.com:8000-8999         | example.com:8000-8999
          example.com:1-65535           | example.com
          https://example.com           | example.com:443
          http://example.com            | example.com:80
          http://example.com:81/a       | example.com:81/a
          *.example.com                 | *.example.com
          *                             | *
          *:443                         | *:443
          post,get api.example.com/v1/* | GET,POST api.example.com/v1/*
          GET *                         | GET *
          bücher.example                | xn--bcher-kva.example
          10.1.2.3                      | 10.1.2.3
          10.0.0.0/8                    | 10.0.0.0/8
          10.0.0.0/8:5432               | 10.0.0.0/8:5432
          0.0.0.0/0                     | 0.0.0.0/0
          10.1.2.3/32                   | 10.1.2.3
          10.1.2.3/admin                | 10.1.2.3/admin
          http://10.1.2.3/8             | 10.1.2.3:80/8
          10.1.2.3:80/8                 | 10.1.2.3:80/8
          2001:DB8::1                   | 2001:db8:0:0:0:0:0:1
          [2001:db8::1]:443             | [2001:db8:0:0:0:0:0:1]:443
          2001:db8::/32                 | 2001:db8:0:0:0:0:0:0/32
          [2001:db8::/32]:443           | [2001:db8:0:0:0:0:0:0/32]:443
          [2001:db8::1]/path            | [2001:db8:0:0:0:0:0:1]/path
          ::ffff:127.0.0.1              | 127.0.0.1
          example.com/a/../b            | example.com/b
          example.com/%61               | example.com/a
          localhost                     | localhost
          my_bucket.example.com         | my_bucket.example.com
          """)
  void isReadAndWrittenInOneForm(String text, String canonical) {
    var rule = EgressRule.parse(text);
    assertThat(rule.text()).isEqualTo(canonical);
    assertThat(EgressRule.parse(canonical)).isEqualTo(rule);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "exa mple.com",
        " example.com",
        "example.com ",
        "GET  example.com",
        "GET ",
        "FETCH example.com",
        "GET, example.com",
        "CONNECT example.com",
        "ftp://example.com",
        "socks5://example.com",
        "://x",
        "user@example.com",
        "http://u:p@example.com",
        "a..b",
        ".example.com",
        "example.com..",
        "-a.com",
        "a-.com",
        "example.com:0",
        "example.com:65536",
        "example.com:",
        "example.com:80-",
        "example.com:90-80",
        "example.com:1-2-3",
        "example.com:+80",
        "example.com:080",
        "10.0.0.1/8",
        "10.0.0.0/33",
        "2001:db8::1/32",
        "::ffff:10.0.0.0/104",
        "*.com",
        "*.",
        "*.*.com",
        "a*.com",
        "*a.example.com",
        "*.10.0.0.1",
        "0x7f.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.01",
        "256.0.0.1",
        "1.2.3.4.5",
        "fe80::1%eth0",
        "[::1",
        "[::1]x",
        "[127.0.0.1]",
        ":::",
        "1:2:3:4:5:6:7:8:9",
        "a\u0000b.com",
        "a\nb.com",
        "a\\b",
        "example.com?x",
        "example.com#x",
        "example.com/a*b",
        "example.com/a b",
        "example.com/%zz",
        "example.com/..%2fx",
        "https://example.com/path",
        "１２７.0.0.1",
        "exa%6dple.com",
        "example.com/%00",
        "example.com/ü"
      })
  void isRefusedWhenItCouldMeanSomethingElse(String text) {
    assertThatThrownBy(() -> EgressRule.parse(text))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.INVALID_SETTING);
              assertThat(problem.text()).startsWith("invalid egress rule '").doesNotContain("null");
              assertThat(problem.remedies()).isNotEmpty();
            });
  }

  @Test
  void hasAHostOfAtMost253Characters() {
    var longest = "a.".repeat(126) + "a";
    assertThat(EgressRule.parse(longest).text()).hasSize(253);
    assertThatThrownBy(() -> EgressRule.parse("a" + longest)).isInstanceOf(Problem.class);
    assertThatThrownBy(() -> EgressRule.parse("a".repeat(64) + ".com")).isInstanceOf(Problem.class);
  }

  @Test
  void withAStarMatchesNamesBelowAndNeverTheNameItself() {
    var rule = EgressRule.parse("*.example.com");
    assertThat(rule.allows(tunnel("a.example.com"))).isTrue();
    assertThat(rule.allows(tunnel("a.b.example.com"))).isTrue();
    assertThat(rule.allows(tunnel("example.com"))).isFalse();
    assertThat(rule.allows(tunnel("evilexample.com"))).isFalse();
    assertThat(rule.allows(tunnel("example.com.evil.org"))).isFalse();
  }

  @Test
  void withAMethodOrPathSaysNothingOfTunnels() {
    for (var text : new String[] {"GET example.com", "example.com/a", "example.com/*"}) {
      var rule = EgressRule.parse(text);
      assertThat(rule.allows(tunnel("example.com"))).as(text).isFalse();
      assertThat(rule.denies(tunnel("example.com"))).as(text).isFalse();
    }
  }

  @Test
  void thatDeniesAnIpv4AddressDeniesItInsideIpv6Too() {
    var rule = EgressRule.parse("8.8.8.0/24");
    for (var text : new String[] {"64:ff9b::8.8.8.8", "2002:808:808::1", "::8.8.8.8"}) {
      var access = Access.tunnel("connect", new Host.Address(InetAddress.ofLiteral(text)), 443);
      assertThat(rule.denies(access)).as(text).isTrue();
      assertThat(rule.allows(access)).as(text).isFalse();
    }
  }

  @Test
  void thatDeniesAMethodDeniesItInAnyCase() throws Refusal {
    var post = Access.http("post", RequestTarget.absolute("http://example.com/"));
    assertThat(EgressRule.parse("POST example.com").denies(post)).isTrue();
  }

  private static Access tunnel(String host) {
    return Access.tunnel("connect", new Host.Name(host), 443);
  }
}
