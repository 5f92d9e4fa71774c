package husk.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestPathTest {

  @ParameterizedTest
  @CsvSource({
    "/, /", "/a/b, /a/b", "/allowed/../secret, /secret", "/a/./b, /a/b", "/../../x, /x",
    "/a/%2e%2E/b, /b", "/%61%2Fb, /a%2Fb", "/a/.., /", "/a/., /a/", "/100%25/x, /100%25/x",
    "/a%20b, /a%20b", "/@scope%2fname, /@scope%2fname", "/...., /....", "/a/..b, /a/..b"
  })
  void isForwardedInOneForm(String raw, String forwarded) throws Refusal {
    assertThat(RequestPath.parse(raw).forwarded()).isEqualTo(forwarded);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/allowed/..%2fsecret",
        "/allowed/%2e%2e%2fsecret",
        "/allowed/..%5csecret",
        "/allowed/%252e%252e%252fsecret",
        "/allowed/..;/secret",
        "/allowed/..;x=1/secret",
        "/a\\b",
        "/%",
        "/%1",
        "/%zz",
        "/a%00b",
        "/a%0d%0ab",
        "/%25252525252e",
        "/a/.;/b"
      })
  void isRefusedWhenServersWouldReadItDifferently(String raw) {
    assertThatThrownBy(() -> RequestPath.parse(raw)).isInstanceOf(Refusal.class);
  }

  @Test
  void matchesADenialHoweverItIsEscaped() throws Refusal {
    var denial = EgressRule.parse("example.com/admin/*");
    for (var path :
        new String[] {"/admin/x", "//admin//x", "/%61dmin/x", "/admin%2fx", "/admin%252fx"}) {
      assertThat(denial.denies(get(path))).as(path).isTrue();
    }
    assertThat(denial.denies(get("/administrator"))).isFalse();
  }

  @Test
  void matchesAnAllowanceOnlyIfEveryReadingDoes() throws Refusal {
    var allowance = EgressRule.parse("example.com/public/*");
    assertThat(allowance.allows(get("/public/a%20b?x=/../secret"))).isTrue();
    assertThat(allowance.allows(get("/public%2fa"))).isFalse();
    assertThat(allowance.allows(get("/public/../secret"))).isFalse();
    assertThat(allowance.allows(get("/PUBLIC/a"))).isFalse();
  }

  private static Access get(String path) throws Refusal {
    return Access.http("GET", RequestTarget.absolute("http://example.com" + path));
  }
}
