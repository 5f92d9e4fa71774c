package husk.api.listen;

import husk.api.Gatekeeper;
import husk.model.Problem;
import io.helidon.common.uri.UriQuery;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.Locale;
import java.util.Optional;

/// Who may come in over TCP. With keys, whoever shows one. Without, which only loopback allows,
/// programs of this machine: a web page elsewhere, or one that has its name resolve to loopback,
/// betrays itself by `Origin`, `Sec-Fetch-Site` or `Host`.
final class Admission implements Gatekeeper {
  private static final HeaderName API_KEY = HeaderNames.create("X-API-Key");
  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");

  private final ApiKeys keys;
  private final Origins origins;

  Admission(ApiKeys keys, Origins origins) {
    this.keys = keys;
    this.origins = origins;
  }

  @Override
  public Optional<Problem> refusal(String path, UriQuery query, Headers headers) {
    if (path.equals("/health")) {
      return Optional.empty();
    }
    return keys.none() ? foreign(headers) : withoutKey(query, headers);
  }

  private Optional<Problem> withoutKey(UriQuery query, Headers headers) {
    var shown = shown(query, headers);
    if (shown.isEmpty()) {
      return Optional.of(
          unauthenticated("this server wants an API key", "send `Authorization: Bearer KEY`"));
    }
    return keys.accept(shown.get())
        ? Optional.empty()
        : Optional.of(unauthenticated("the API key is not one of this server's", "check the key"));
  }

  private static Problem unauthenticated(String message, String remedy) {
    return new Problem(Problem.Code.UNAUTHENTICATED, message, remedy);
  }

  /// As agents send it (`Bearer`), as Jupyter's clients do (`token`, in a header or the query), or
  /// in a header of its own.
  private static Optional<String> shown(UriQuery query, Headers headers) {
    var authorization = headers.first(HeaderNames.AUTHORIZATION);
    if (authorization.isPresent()) {
      var words = authorization.get().strip().split("\\s+", 2);
      var scheme = words[0].toLowerCase(Locale.ROOT);
      boolean known = scheme.equals("bearer") || scheme.equals("token");
      return known && words.length == 2 ? Optional.of(words[1]) : Optional.empty();
    }
    return headers.first(API_KEY).or(() -> query.first("token").asOptional());
  }

  private Optional<Problem> foreign(Headers headers) {
    var host = headers.first(HeaderNames.HOST).orElse("");
    if (!origins.mayBeNamed(host)) {
      return Optional.of(forbidden("the request is for host `" + host + "`, not for this server"));
    }
    var origin = headers.first(HeaderNames.ORIGIN);
    if (origin.isPresent()) {
      return origins.mayCall(origin.get(), host)
          ? Optional.empty()
          : Optional.of(forbidden("web pages of `" + origin.get() + "` may not call this server"));
    }
    var site = headers.first(FETCH_SITE).orElse("none");
    return site.equals("none") || site.equals("same-origin")
        ? Optional.empty()
        : Optional.of(forbidden("a web page of another site may not call this server"));
  }

  private static Problem forbidden(String message) {
    return new Problem(
        Problem.Code.FORBIDDEN,
        message,
        "use the address it listens on, or serve with `--api-key`",
        "`--allow-origin` lets a web page in");
  }
}
