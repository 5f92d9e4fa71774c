package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The pages that show the API, and the files they need: all from here.
@ExtendWith(LeakDetector.class)
class DocsTest {
  private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

  private final ApiServer server = new ApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void theRootLinksToTheDescriptionsAsKernelBoxsDoes() {
    assertThat(server.get("/").body())
        .isEqualTo(
            "{\"service\":\"husk\",\"links\":{"
                + "\"swagger\":{\"href\":\"/docs\",\"description\":\"Interactive Swagger UI.\"},"
                + "\"redoc\":{\"href\":\"/redoc\",\"description\":\"Readable API reference.\"},"
                + "\"openapi\":{\"href\":\"/openapi.json\",\"description\":\"OpenAPI schema.\"}}}");
  }

  @Test
  void aBrowserIsShownAPageAtTheRoot() {
    var reply = server.send("GET", "/", "", "", "Accept", "text/html,application/xhtml+xml,*/*");
    assertThat(reply.header("content-type")).startsWith("text/html");
    assertThat(reply.body()).contains("href=\"docs\"", "href=\"redoc\"");
  }

  @Test
  void everythingAPageRefersToIsServedFromHere() {
    for (var page : List.of("/docs", "/redoc")) {
      var reply = server.get(page);
      assertThat(reply.header("content-type")).startsWith("text/html");
      var references = REFERENCE.matcher(reply.body()).results().map(it -> it.group(1)).toList();
      assertThat(references).hasSizeGreaterThan(3).noneMatch(it -> it.contains("//"));
      for (var reference : references) {
        var file = server.get("/" + reference);
        assertThat(file.status()).as(reference).isEqualTo(200);
        assertThat(file.header("content-type")).startsWith(typeOf(reference));
        assertThat(file.header("x-content-type-options")).isEqualTo("nosniff");
      }
    }
  }

  private static String typeOf(String file) {
    return file.endsWith(".js") ? "text/javascript" : file.endsWith(".css") ? "text/css" : "image/";
  }

  @Test
  void aPageMayLoadNothingFromElsewhere() {
    for (var page : List.of("/docs", "/redoc")) {
      var policy = server.get(page).header("content-security-policy");
      assertThat(policy).contains("default-src 'none'", "script-src 'self';", "connect-src 'self'");
      assertThat(policy).doesNotContain("http", "unsafe-eval").contains("frame-ancestors 'none'");
    }
    assertThat(server.get("/redoc/redoc.standalone.js").body()).doesNotContain("cdn.redoc.ly");
  }

  @Test
  void aFileThatTheBrowserHasIsNotSentAgain() {
    var first = server.get("/docs/swagger-ui.css");
    assertThat(first.header("cache-control")).contains("max-age");
    var again =
        server.send("GET", "/docs/swagger-ui.css", "", "", "If-None-Match", first.header("etag"));
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void otherFilesOfTheJarsAreNotServed() {
    for (var target :
        List.of(
            "/docs/index.html", "/docs/..%2Fswagger.html", "/docs/%2e%2e%2fredoc.js", "/redoc/x")) {
      var reply = server.get(target);
      assertThat(reply.status()).as(target).isEqualTo(404);
      assertThat(reply.body()).isEqualTo("{\"detail\":\"Not Found\"}");
    }
  }

  @Test
  void aKeyInThePagesAddressIsPassedOnAndCannotWriteIntoThePage() {
    try (var locked = new ApiServer("k&\"<y")) {
      assertThat(locked.get("/docs").status()).isEqualTo(401);
      var page = locked.get("/docs?token=k%26%22%3Cy");
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.body()).contains("docs/start.js?token=k%26%22%3Cy\"").doesNotContain("\"<y");
      assertThat(locked.get("/docs/start.js?token=k%26%22%3Cy").status()).isEqualTo(200);
      assertThat(locked.get("/docs/start.js").status()).isEqualTo(401);
    }
  }
}
