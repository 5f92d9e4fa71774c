package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SpecialAddressesTest {
  private static final InetAddress OWN = InetAddress.ofLiteral("8.8.4.4");
  private final SpecialAddresses special = new SpecialAddresses(() -> Set.of(OWN));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.255",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.255.255",
        "224.0.0.1",
        "239.255.255.255",
        "255.255.255.255",
        "240.0.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "198.51.100.7",
        "203.0.113.9",
        "198.18.0.1",
        "198.19.255.255",
        "192.88.99.1",
        "::",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "2001::1",
        "2001:2::1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2002:c0a8:101::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "::ffff:169.254.169.254",
        "100::1",
        "4000::1",
        "8.8.4.4",
        "64:ff9b::8.8.4.4",
        "fd00:ec2::254"
      })
  void areNotPublic(String address) {
    assertThat(special.kind(InetAddress.ofLiteral(address))).isPresent();
  }

  /// Whoever reaches one of these has the rights of the machine in its cloud.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "168.63.129.16",
        "::ffff:168.63.129.16",
        "::ffff:a83f:8110",
        "::168.63.129.16",
        "64:ff9b::a83f:8110",
        "2002:a83f:8110::1",
        "169.254.169.253",
        "169.254.170.2",
        "169.254.170.23",
        "169.254.0.23",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
        "fe80::a9fe:a9fe"
      })
  void servicesOfCloudsAreNotPublic(String address) {
    assertThat(special.kind(InetAddress.ofLiteral(address))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "1.1.1.1",
        "168.63.129.15",
        "168.63.129.17",
        "172.15.0.1",
        "172.32.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "169.253.0.1",
        "128.0.0.1",
        "126.0.0.1",
        "223.255.255.255",
        "198.20.0.1",
        "2606:4700::1111",
        "2a00:1450::1",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
        "::ffff:8.8.8.8"
      })
  void leaveThePublicOnesAlone(String address) {
    assertThat(special.kind(InetAddress.ofLiteral(address))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "0.0.0.0/0",
        "8.8.4.0/24",
        "8.0.0.0/6",
        "169.254.169.254",
        "168.63.129.16",
        "168.63.0.0/16",
        "::/0",
        "::1",
        "fd00::/64",
        "2002:7f00:1::",
        "2000::/3",
        "64:ff9b::7f00:1"
      })
  void rangeWithAnySpecialAddressOpensWhatIsNotPublic(String text) {
    assertThat(special.any(range(text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "93.184.216.0/24", "2606:4700::/32", "2a00:1450::1"})
  void publicRangeDoesNot(String text) {
    assertThat(special.any(range(text))).isFalse();
  }

  private static Cidr range(String text) {
    return text.contains("/") ? Cidr.of(text) : Cidr.only(InetAddress.ofLiteral(text));
  }
}
