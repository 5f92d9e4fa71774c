package husk.api;

import husk.model.Problem;
import io.helidon.common.uri.UriPath;
import io.helidon.http.Method;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Routes whose names may hold anything, also an escaped slash, which routing on decoded paths
/// would take for the border of a segment.
public final class Routes {
  private static final Object TEMPLATE = new Object();

  private final HttpRules rules;
  private final List<String> registered = new ArrayList<>();

  public Routes(HttpRules rules) {
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
    rules.route(
        method,
        new RawPath(segments(template)),
        (request, response) -> {
          request.context().register(TEMPLATE, template);
          handler.handle(request, response);
        });
    registered.add(method.text() + " " + template);
    return this;
  }

  /// Every route: its method and its template.
  public List<String> registered() {
    return List.copyOf(registered);
  }

  /// The methods that are served at a path; none when there is no such path.
  List<String> methods(String rawPath) {
    var segments = segments(rawPath);
    return registered.stream()
        .map(route -> route.split(" ", 2))
        .filter(route -> new RawPath(segments(route[1])).fits(segments))
        .map(route -> route[0])
        .toList();
  }

  /// The template of the route a request took; `-` if it took none.
  public static String template(ServerRequest request) {
    return request.context().get(TEMPLATE, String.class).orElse("-");
  }

  public static List<String> segments(String rawPath) {
    return List.of(rawPath.substring(1).split("/", -1));
  }

  /// One segment of a path, decoded; the first is 0.
  public static String segment(UriPath path, int index) {
    var raw = segments(path.absolute().rawPath()).get(index).replace("+", "%2B");
    var bytes = URLDecoder.decode(raw, StandardCharsets.ISO_8859_1);
    try {
      var encoded = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
    } catch (CharacterCodingException e) {
      // Were it replaced by question marks, two names could become one.
      throw new Problem(
          Problem.Code.INVALID_NAME,
          "`" + raw + "` cannot be a name: it is not UTF-8",
          "encode it as UTF-8, then escape each byte with `%`");
    }
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
