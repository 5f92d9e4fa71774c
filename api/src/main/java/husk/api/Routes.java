package husk.api;

import io.helidon.common.uri.UriPath;
import io.helidon.http.Method;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Routes whose names may hold anything, also an escaped slash, which routing on decoded paths
/// would take for the border of a segment.
public final class Routes {
  private final HttpRules rules;

  Routes(HttpRules rules) {
    this.rules = rules;
  }

  public Routes get(String template, Handler handler) {
    return add(Method.GET, template, handler);
  }

  public Routes post(String template, Handler handler) {
    return add(Method.POST, template, handler);
  }

  public Routes put(String template, Handler handler) {
    return add(Method.PUT, template, handler);
  }

  public Routes patch(String template, Handler handler) {
    return add(Method.PATCH, template, handler);
  }

  public Routes delete(String template, Handler handler) {
    return add(Method.DELETE, template, handler);
  }

  private Routes add(Method method, String template, Handler handler) {
    rules.route(method, new RawPath(segments(template)), handler);
    return this;
  }

  static List<String> segments(String rawPath) {
    return List.of(rawPath.substring(1).split("/", -1));
  }

  /// One segment of a path, decoded; the first is 0.
  public static String segment(UriPath path, int index) {
    var raw = segments(path.absolute().rawPath()).get(index).replace("+", "%2B");
    return URLDecoder.decode(raw, StandardCharsets.UTF_8);
  }

  private record RawPath(List<String> template) implements PathMatcher {
    @Override
    public PathMatchers.MatchResult match(UriPath path) {
      return fits(segments(path.rawPath()))
          ? PathMatchers.any().match(path)
          : PathMatchers.MatchResult.notAccepted();
    }

    private boolean fits(List<String> segments) {
      if (segments.size() != template.size()) {
        return false;
      }
      for (int i = 0; i < template.size(); i++) {
        boolean anything = template.get(i).startsWith("{");
        if (anything ? segments.get(i).isEmpty() : !template.get(i).equals(segments.get(i))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public PathMatchers.PrefixMatchResult prefixMatch(UriPath path) {
      return PathMatchers.PrefixMatchResult.notAccepted();
    }
  }
}
