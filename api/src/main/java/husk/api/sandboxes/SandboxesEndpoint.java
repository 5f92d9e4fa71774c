package husk.api.sandboxes;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.core.SandboxService;
import husk.core.Service;
import husk.model.Problem;
import husk.sandboxes.SandboxInfo;
import husk.spi.Egress;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `/sandboxes`: making, starting, stopping, describing and removing sandboxes.
public final class SandboxesEndpoint implements Endpoint {
  private static final Duration LONGEST_LIFE = Duration.ofDays(3650);

  private final Service core;

  public SandboxesEndpoint(Service core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/sandboxes", this::list)
        .post("/sandboxes", this::create)
        .post("/sandboxes/gc", this::collect)
        .post("/sandboxes/clean", this::clean)
        .get("/sandboxes/{name}", this::info)
        .patch("/sandboxes/{name}", this::describe)
        .delete("/sandboxes/{name}", this::remove)
        .post("/sandboxes/{name}/start", this::start)
        .post("/sandboxes/{name}/stop", this::stop)
        .get("/sandboxes/{name}/usage", this::usage)
        .post("/sandboxes/{name}/extend", this::extend)
        .post("/sandboxes/{name}/egress", this::egress);
  }

  private SandboxService sandboxes() {
    return core.sandboxes();
  }

  private void list(ServerRequest request, ServerResponse response) {
    var found = sandboxes().list(labels(request));
    Answers.either(
        request,
        response,
        Map.of("sandboxes", found.stream().map(SandboxView::json).toList()),
        SandboxView.table(found));
  }

  private static Map<String, String> labels(ServerRequest request) {
    var labels = new LinkedHashMap<String, String>();
    for (var label : request.query().all("label", List::of)) {
      int at = label.indexOf(label.indexOf('=') >= 0 ? '=' : ':');
      if (at < 1) {
        throw new Problem(
            Problem.Code.INVALID_REQUEST, "`" + label + "` is no label", "write KEY=VALUE");
      }
      labels.put(label.substring(0, at), label.substring(at + 1));
    }
    return labels;
  }

  private void create(ServerRequest request, ServerResponse response) {
    var body = Requests.bodyIfAny(request, SandboxForms.CREATE);
    var info =
        core.createSandbox(body.request(), body.config(), body.program(), body.caller(request));
    response.status(Status.CREATED_201);
    Answers.either(
        request, response, SandboxView.json(info), "Sandbox '" + info.name() + "' created.\n");
  }

  private void show(
      ServerRequest request, ServerResponse response, SandboxInfo info, String forPeople) {
    Answers.either(request, response, SandboxView.json(info), forPeople);
  }

  private void info(ServerRequest request, ServerResponse response) {
    var info = sandboxes().require(Answers.name(request));
    show(request, response, info, SandboxView.lines(info));
  }

  private void start(ServerRequest request, ServerResponse response) {
    var info = sandboxes().start(Answers.name(request));
    show(request, response, info, "Sandbox '" + info.name() + "' started.\n");
  }

  private void stop(ServerRequest request, ServerResponse response) {
    var info = sandboxes().stop(Answers.name(request));
    show(request, response, info, "Sandbox '" + info.name() + "' stopped.\n");
  }

  private void usage(ServerRequest request, ServerResponse response) {
    var sandbox = Inside.of(core, request);
    Answers.json(request, response, Inside.ask(sandbox::usage));
  }

  private void remove(ServerRequest request, ServerResponse response) {
    var name = Answers.name(request);
    boolean removed = sandboxes().remove(name);
    Answers.either(
        request,
        response,
        Map.of("removed", removed),
        removed ? "Sandbox '" + name + "' removed.\n" : "There is no sandbox '" + name + "'.\n");
  }

  private void describe(ServerRequest request, ServerResponse response) {
    var name = sandboxes().require(Answers.name(request)).name();
    var body = Requests.bodyIfAny(request, SandboxForms.DESCRIBE);
    var info = sandboxes().describe(name, now -> body.labels().orElse(now), body.description());
    show(request, response, info, SandboxView.lines(info));
  }

  private void extend(ServerRequest request, ServerResponse response) {
    var name = sandboxes().require(Answers.name(request)).name();
    var length = Requests.bodyIfAny(request, SandboxForms.EXTEND).length();
    if (length.isZero() || length.compareTo(LONGEST_LIFE) > 0) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "a sandbox's life cannot be extended by " + length.toSeconds() + " seconds");
    }
    var info = sandboxes().extend(name, length);
    show(request, response, info, info.expiresAt().map(Object::toString).orElse("never") + "\n");
  }

  private void egress(ServerRequest request, ServerResponse response) {
    var name = sandboxes().require(Answers.name(request)).name();
    var body = Requests.bodyIfAny(request, SandboxForms.EGRESS);
    var info = sandboxes().egress(name, now -> changed(now, body));
    show(request, response, info, SandboxView.lines(info));
  }

  /// A rule that is allowed is no longer denied, and the other way round.
  private static Egress changed(Egress now, SandboxBodies.EgressBody body) {
    return new Egress(
        body.open().orElse(now.open()),
        rules(now.allow(), body.allow(), body.deny(), body.forget()),
        rules(now.deny(), body.deny(), body.allow(), body.forget()));
  }

  private static List<String> rules(
      List<String> now, List<String> more, List<String> opposite, List<String> forgotten) {
    var rules = new ArrayList<String>();
    Stream.concat(now.stream().filter(rule -> !opposite.contains(rule)), more.stream())
        .filter(rule -> !forgotten.contains(rule))
        .distinct()
        .forEach(rules::add);
    return rules;
  }

  private void collect(ServerRequest request, ServerResponse response) {
    var body = Requests.bodyIfAny(request, SandboxForms.COLLECT);
    removed(request, response, sandboxes().collect(body.labels(), body.dryRun()), body.dryRun());
  }

  private void clean(ServerRequest request, ServerResponse response) {
    var body = Requests.bodyIfAny(request, SandboxForms.CLEAN);
    removed(request, response, sandboxes().clean(body.force(), body.all()), false);
  }

  private static void removed(
      ServerRequest request, ServerResponse response, List<String> names, boolean dryRun) {
    var text = new StringBuilder();
    if (names.isEmpty()) {
      text.append("No matching sandboxes.\n");
    } else {
      text.append(dryRun ? "Would remove " : "Removed ");
      text.append(names.size()).append(" sandbox(es):\n");
      names.forEach(name -> text.append("  ").append(name).append('\n'));
    }
    var json = new LinkedHashMap<String, Object>();
    json.put("removed", names);
    json.put("count", names.size());
    Answers.either(request, response, json, text.toString());
  }
}
