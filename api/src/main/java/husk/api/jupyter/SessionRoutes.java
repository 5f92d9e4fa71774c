package husk.api.jupyter;

import husk.api.Endpoint;
import husk.api.Routes;
import husk.core.Caller;
import husk.core.Service;
import husk.model.Ids;
import husk.model.KernelRecord;
import husk.model.Problem;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// `/api/sessions`: which notebook runs on which kernel.
final class SessionRoutes implements Endpoint {
  private static final String ONE = "/api/sessions/{id}";

  private final Service core;
  private final JupyterState state;
  private final JupyterSessions sessions;

  /// Two clients that open one notebook at once get one session.
  private final ReentrantLock creating = new ReentrantLock();

  SessionRoutes(Service core, JupyterState state) {
    this.core = core;
    this.state = state;
    this.sessions = new JupyterSessions(core);
  }

  @Override
  public void register(Routes rules) {
    rules
        .get("/api/sessions", JupyterAnswers.telling(this::list))
        .post("/api/sessions", JupyterAnswers.telling(this::create))
        .get(ONE, JupyterAnswers.telling(this::show))
        .patch(ONE, JupyterAnswers.telling(this::change))
        .delete(ONE, JupyterAnswers.telling(this::delete));
  }

  private JupyterSession.On session(ServerRequest request) {
    return sessions.require(Routes.segment(request.path(), 2));
  }

  private Map<String, Object> model(JupyterSession.On on) {
    return on.session().model(KernelModel.of(on.kernel(), core, state));
  }

  private void list(ServerRequest request, ServerResponse response) {
    JupyterAnswers.json(response, sessions.all().stream().map(this::model).toList());
  }

  private void show(ServerRequest request, ServerResponse response) {
    JupyterAnswers.json(response, model(session(request)));
  }

  private void create(ServerRequest request, ServerResponse response) {
    var body = JupyterBody.of(request);
    var notebook = body.object("notebook");
    var path = body.text("path").or(() -> notebook.text("path")).orElseThrow(() -> missing("path"));
    var type =
        body.text("type")
            .or(() -> notebook.has("path") ? Optional.of("notebook") : Optional.empty())
            .orElseThrow(() -> missing("type"));
    var name = body.text("name").or(() -> notebook.text("name")).orElse("");
    var caller = state.caller(request);
    creating.lock();
    try {
      var on = sessions.atPath(path).orElseGet(() -> start(body, path, name, type, caller));
      JupyterAnswers.created(response, "/api/sessions/" + on.session().id(), model(on));
    } finally {
      creating.unlock();
    }
  }

  private static Problem missing(String field) {
    return new Problem(Problem.Code.INVALID_REQUEST, "Missing field in JSON data: " + field);
  }

  private JupyterSession.On start(
      JupyterBody body, String path, String name, String type, Caller caller) {
    var session = new JupyterSession(KernelIds.dashed(Ids.fresh()), path, name, type);
    return sessions.put(session, kernel(body, path, caller).kernelId());
  }

  /// The kernel that is named by its id, or a new one.
  private KernelRecord kernel(JupyterBody body, String path, Caller caller) {
    var wanted = body.object("kernel");
    var known = wanted.text("id").filter(id -> !id.isEmpty());
    return known.isPresent()
        ? core.require(KernelIds.plain(known.get()))
        : new NewKernel(
                wanted.text("name"), Optional.of(path), wanted.object("env").texts("kernel.env"))
            .make(core, caller);
  }

  private void change(ServerRequest request, ServerResponse response) {
    var body = JupyterBody.of(request);
    var former = session(request);
    var session =
        new JupyterSession(
            former.session().id(),
            body.text("path").orElse(former.session().path()),
            body.text("name").orElse(former.session().name()),
            body.text("type").orElse(former.session().type()));
    var wanted = body.object("kernel");
    boolean move = wanted.has("id") || wanted.has("name");
    var kernel = move ? kernel(body, session.path(), state.caller(request)) : former.kernel();
    var changed = sessions.put(session, kernel.kernelId());
    if (!kernel.kernelId().equals(former.kernel().kernelId())) {
      leave(former);
    }
    JupyterAnswers.json(response, model(changed));
  }

  /// A kernel that was changed for another ends, unless it is of use to somebody else.
  private void leave(JupyterSession.On former) {
    var kernelId = former.kernel().kernelId();
    sessions.remove(former.session(), kernelId);
    if (!sessions.used(kernelId)) {
      core.destroy(kernelId);
    }
  }

  private void delete(ServerRequest request, ServerResponse response) {
    core.destroy(session(request).kernel().kernelId());
    JupyterAnswers.nothing(response);
  }
}
