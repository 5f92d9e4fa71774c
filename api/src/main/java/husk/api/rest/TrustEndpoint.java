package husk.api.rest;

import husk.api.Answers;
import husk.api.ClientBody;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.api.Texts;
import husk.core.Caller;
import husk.core.Core;
import husk.core.ProjectTrust;
import husk.core.ProjectTrust.Looked;
import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// `/trust`, on the daemon's own socket alone: what projects' files would open, and whether they
/// may.
public final class TrustEndpoint implements Endpoint {
  private final ProjectTrust trust;

  public TrustEndpoint(Core core) {
    this.trust = new ProjectTrust(core.places().home());
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/trust", this::list)
        .post("/trust/look", this::look)
        .post("/trust", this::trust)
        .post("/trust/forget", this::forget);
  }

  record TrustBody(Optional<String> path, Optional<String> sha256, Optional<ClientBody> client) {
    Caller caller() {
      return client.map(ClientBody::caller).orElse(Caller.UNKNOWN);
    }
  }

  private static TrustBody body(ServerRequest request) {
    return Answers.body(request, TrustBody.class);
  }

  private void list(ServerRequest request, ServerResponse response) {
    var rows = new ArrayList<List<String>>();
    var all = new ArrayList<Map<String, Object>>();
    trust
        .list()
        .forEach(
            (trusted, state) -> {
              rows.add(List.of(state, trusted.path(), trusted.trustedAt().toString()));
              var one = new LinkedHashMap<String, Object>();
              one.put("path", trusted.path());
              one.put("sha256", trusted.sha256());
              one.put("trusted_at", trusted.trustedAt());
              one.put("state", state);
              all.add(one);
            });
    Answers.either(
        request,
        response,
        Map.of("trusted", all),
        rows.isEmpty()
            ? "nothing is trusted\n"
            : Texts.table(List.of("STATE", "FILE", "SINCE"), rows));
  }

  private void look(ServerRequest request, ServerResponse response) {
    var body = body(request);
    var files = trust.look(body.path(), body.caller());
    var text = files.stream().map(TrustEndpoint::text).collect(Collectors.joining("\n"));
    Answers.either(
        request,
        response,
        Map.of("files", files.stream().map(TrustEndpoint::view).toList(), "text", text),
        text);
  }

  private static Map<String, Object> view(Looked file) {
    var view = new LinkedHashMap<String, Object>();
    view.put("path", file.path());
    view.put("sha256", file.sha256());
    view.put("standing", file.standing().name().toLowerCase(Locale.ROOT));
    view.put("opens", file.opens());
    view.put("diff", file.diff());
    return view;
  }

  private static String text(Looked file) {
    var text = new StringBuilder();
    text.append(file.path()).append(" (").append(standing(file.standing())).append(")\n");
    file.opens()
        .forEach(
            one ->
                text.append(
                    "  %s = %s%n      %s%n".formatted(one.key(), one.value(), one.opens())));
    file.diff()
        .filter(diff -> !diff.isEmpty())
        .ifPresent(diff -> text.append("what has changed since it was trusted:\n").append(diff));
    return text.toString();
  }

  private static String standing(ProjectTrust.Standing standing) {
    return switch (standing) {
      case NARROW -> "opens nothing: no trust is needed";
      case TRUSTED -> "trusted";
      case CHANGED -> "changed since it was trusted";
      case UNTRUSTED -> "not trusted";
    };
  }

  private void trust(ServerRequest request, ServerResponse response) {
    var body = body(request);
    var path = body.path().orElseThrow(() -> missing("path"));
    var sha256 = body.sha256().orElseThrow(() -> missing("sha256"));
    var trusted = trust.trust(path, sha256, body.caller());
    Answers.either(request, response, view(trusted), "trusted: " + trusted.path() + "\n");
  }

  private static Problem missing(String field) {
    return new Problem(Problem.Code.INVALID_REQUEST, "`" + field + "` is missing");
  }

  private void forget(ServerRequest request, ServerResponse response) {
    var body = body(request);
    var forgotten = trust.untrust(body.path(), body.caller());
    Answers.either(
        request,
        response,
        Map.of("forgotten", forgotten),
        forgotten.isEmpty() ? "nothing was trusted there\n" : lines(forgotten));
  }

  private static String lines(List<Path> forgotten) {
    return forgotten.stream()
        .map(path -> "no longer trusted: " + path + "\n")
        .collect(Collectors.joining());
  }
}
