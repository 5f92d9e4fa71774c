package husk.api.listen;

import husk.api.Answers;
import husk.api.Callers;
import husk.api.Farewell;
import husk.api.Gatekeeper;
import husk.api.Routes;
import husk.api.accept.Visit;
import husk.core.Caller;
import husk.model.Ids;
import husk.model.Problem;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What every request over TCP passes through: it gets an id, is counted, let in or turned away,
/// traced, timed and noted.
final class Passage implements Filter {
  private static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
  private static final Pattern FIT_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  private static final Set<String> KNOWN =
      Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

  private final Gatekeeper gatekeeper;
  private final Traffic traffic;
  private final Cors cors;
  private final Witnesses witnesses;
  private final Caller caller;

  Passage(Gatekeeper gatekeeper, Traffic traffic, Cors cors, Witnesses witnesses, Caller caller) {
    this.gatekeeper = gatekeeper;
    this.traffic = traffic;
    this.cors = cors;
    this.witnesses = witnesses;
    this.caller = caller;
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    var id = request.headers().first(REQUEST_ID).filter(Passage::fits).orElseGet(Ids::fresh);
    response.header(REQUEST_ID, id);
    long began = System.nanoTime();
    try {
      witnesses.tracing().server(request, response, () -> admit(chain, request, response));
    } finally {
      Visit.current().answered();
      note(request, response, id, began);
    }
    Farewell.after(request, response);
  }

  private static boolean fits(String id) {
    return FIT_ID.matcher(id).matches();
  }

  private void admit(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    cors.mark(request, response);
    if (cors.isQuestion(request)) {
      response.status(Status.NO_CONTENT_204).send();
      return;
    }
    var refusal = refusal(request);
    if (refusal.isPresent()) {
      Answers.problem(request, response, refusal.get());
      return;
    }
    try (var stay = traffic.enter()) {
      Visit.current().place(stay);
      Callers.preset(request, caller);
      chain.proceed();
    } catch (Traffic.Full full) {
      Answers.problem(request, response, full.problem());
    }
  }

  private Optional<Problem> refusal(RoutingRequest request) {
    var path = request.path().absolute().rawPath();
    return gatekeeper.refusal(path, request.query(), request.headers());
  }

  private void note(RoutingRequest request, RoutingResponse response, String id, long began) {
    long nanos = System.nanoTime() - began;
    var method = request.prologue().method();
    int status = response.status().code();
    witnesses.metrics().request(methodName(method), Routes.template(request), status, nanos);
    witnesses
        .accessLog()
        .add(
            new AccessLog.Entry(
                request.remotePeer().host(),
                method.text() + " " + request.path().absolute().rawPath(),
                status,
                response.bytesWritten(),
                nanos / 1_000_000,
                id));
  }

  /// Callers may invent methods; metrics must not grow by it.
  private static String methodName(Method method) {
    return KNOWN.contains(method.text()) ? method.text() : "other";
  }
}
