package husk.api.docs;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// A page for people. Nothing on it comes from elsewhere, and nothing on it may go elsewhere.
///
/// @param html with `{token}` behind each address that needs the caller's key
record Page(String html) {
  private static final HeaderName POLICY = HeaderNames.create("Content-Security-Policy");
  private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");

  /// Both libraries write styles into the page, and ReDoc searches in a worker of its own.
  private static final String OWN_ALONE =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'"
          + " data:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none';"
          + " form-action 'none'; frame-ancestors 'none'";

  static Page named(String name) {
    return new Page(Asset.own(name, "text/html").text());
  }

  /// A browser sends no header with what a page loads, so a key in the page's own address is passed
  /// on.
  void send(ServerRequest request, ServerResponse response) {
    var token =
        request
            .query()
            .first("token")
            .asOptional()
            .map(key -> "?token=" + URLEncoder.encode(key, StandardCharsets.UTF_8))
            .orElse("");
    response.header(POLICY, OWN_ALONE);
    response.header(REFERRER, "no-referrer");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.header(HeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff");
    response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
    response.send(html.replace("{token}", token).getBytes(StandardCharsets.UTF_8));
  }
}
