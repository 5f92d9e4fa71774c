package husk.proxy;

import husk.model.Problem;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reads one rule from left to right; `rest` is what has not been read.
final class RuleParser {
  private static final int LONGEST = 2048;
  private static final Set<String> METHODS =
      Set.of(
          "GET",
          "HEAD",
          "POST",
          "PUT",
          "PATCH",
          "DELETE",
          "OPTIONS",
          "TRACE",
          "PROPFIND",
          "PROPPATCH",
          "MKCOL",
          "COPY",
          "MOVE",
          "LOCK",
          "UNLOCK",
          "REPORT",
          "SEARCH",
          "QUERY");

  private final String text;
  private String rest;
  private boolean hasScheme;
  private Ports ports = Ports.ANY;

  RuleParser(String text) {
    this.text = text;
    this.rest = text;
  }

  EgressRule parse() {
    checkCharacters();
    var methods = methods();
    scheme();
    if (rest.indexOf('@') >= 0 || rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
      throw problem("a rule has no user name, query or fragment");
    }
    var reader = new RuleHost(rest, hasScheme);
    try {
      var host = reader.host();
      rest = reader.rest();
      ports();
      return new EgressRule(methods, host, ports, path());
    } catch (Refusal e) {
      throw problem(e.detail());
    } catch (IllegalArgumentException e) {
      throw problem(String.valueOf(e.getMessage()));
    }
  }

  private void checkCharacters() {
    if (text.isEmpty() || text.length() > LONGEST) {
      throw problem("a rule has 1 to " + LONGEST + " characters");
    }
    if (text.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')) {
      throw problem("it contains a control character or a backslash");
    }
  }

  /// What comes before the one space a rule may have.
  private Set<String> methods() {
    int space = rest.indexOf(' ');
    if (space < 0) {
      return Set.of();
    }
    var methods = new TreeSet<String>();
    for (var method : rest.substring(0, space).split(",", -1)) {
      methods.add(method(method));
    }
    rest = rest.substring(space + 1);
    if (rest.isEmpty() || rest.chars().anyMatch(c -> Character.isSpaceChar(c))) {
      throw problem("only one space is allowed: between methods and host");
    }
    return methods;
  }

  private String method(String method) {
    var upper = method.toUpperCase(Locale.ROOT);
    if (upper.equals("CONNECT")) {
      throw problem("tunnels have no method; a rule without methods allows CONNECT");
    }
    if (!METHODS.contains(upper)) {
      throw problem("what stands before the space must be methods, such as GET,HEAD");
    }
    return upper;
  }

  private void scheme() {
    int end = rest.indexOf("://");
    if (end < 0) {
      return;
    }
    ports =
        switch (rest.substring(0, end).toLowerCase(Locale.ROOT)) {
          case "http" -> Ports.only(80);
          case "https" -> Ports.only(443);
          default -> throw problem("only http:// and https:// are known");
        };
    hasScheme = true;
    rest = rest.substring(end + 3);
    if (ports.contains(443) && rest.indexOf('/') >= 0) {
      throw problem("HTTPS is encrypted: a rule for it cannot have a path");
    }
  }

  private void ports() {
    if (!rest.startsWith(":")) {
      return;
    }
    int end = rest.indexOf('/') < 0 ? rest.length() : rest.indexOf('/');
    var numbers = rest.substring(1, end).split("-", -1);
    if (numbers.length > 2) {
      throw problem("a range of ports is written as 8000-8999");
    }
    ports = new Ports(port(numbers[0]), port(numbers[numbers.length - 1]));
    rest = rest.substring(end);
  }

  private int port(String number) {
    if (!number.matches("[1-9][0-9]{0,4}")) {
      throw problem("a port is a number from 1 to 65535");
    }
    return Integer.parseInt(number);
  }

  private Optional<PathPattern> path() throws Refusal {
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    var andAllBelow = rest.endsWith("*");
    var path = andAllBelow ? rest.substring(0, rest.length() - 1) : rest;
    if (!path.startsWith("/") || path.indexOf('*') >= 0) {
      throw problem("a path begins with / and may have one * at its end");
    }
    if (!path.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw problem("a path is written in ASCII, with everything else escaped: /%C3%BC for /ü");
    }
    return Optional.of(new PathPattern(RequestPath.parse(path).plain(), andAllBelow));
  }

  private Problem problem(String why) {
    return new Problem(
        Problem.Code.INVALID_SETTING,
        "invalid egress rule '%s': %s".formatted(Printable.text(text, 300), why),
        "write [METHOD[,METHOD] ]HOST[:PORT[-PORT]][/path[*]], for example api.example.com:443, "
            + "*.example.com, 10.1.0.0/16:5432 or GET api.example.com:80/v1/*");
  }
}
