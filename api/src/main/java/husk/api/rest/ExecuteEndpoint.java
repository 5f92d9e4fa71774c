package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Requests;
import husk.api.Routes;
import husk.api.form.Form;
import husk.api.sse.EventStreams;
import husk.core.Service;
import husk.model.KernelOptions;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Optional;

/// `…/execute` and its retrying kin: run code on a kernel, or on a session that is made if need be.
public final class ExecuteEndpoint implements Endpoint {
  private final Service core;
  private final ExecutionAnswer answer;

  public ExecuteEndpoint(Service core, EventStreams events) {
    this.core = core;
    this.answer = new ExecutionAnswer(core, events);
  }

  @Override
  public void register(Routes rules) {
    rules
        .post("/kernels/{id}/execute", this::execute)
        .post("/kernels/{id}/execute/retry", this::retry)
        .post("/sessions/{name}/execute", this::executeInSession)
        .post("/sessions/{name}/execute/retry", this::retryInSession)
        .post("/sessions/{name}/execute_with_retry", this::retryInSession);
  }

  private void execute(ServerRequest request, ServerResponse response) {
    var body = body(request, Forms.EXECUTE);
    once(request, response, body, creation(body));
  }

  private void executeInSession(ServerRequest request, ServerResponse response) {
    var body = body(request, Forms.EXECUTE);
    once(request, response, body, Optional.of(body.kernelOptions()));
  }

  private void retry(ServerRequest request, ServerResponse response) {
    var body = body(request, Forms.EXECUTE_WITH_RETRY);
    often(request, response, body, creation(body));
  }

  private void retryInSession(ServerRequest request, ServerResponse response) {
    var body = body(request, Forms.EXECUTE_WITH_RETRY);
    often(request, response, body, Optional.of(body.kernelOptions()));
  }

  private static Bodies.ExecuteBody body(ServerRequest request, Form<Bodies.ExecuteBody> form) {
    return Requests.body(
        request, sent -> sent.path("client").isObject() ? Forms.EXECUTE_FOR_CLIENT : form);
  }

  private static Optional<KernelOptions> creation(Bodies.ExecuteBody body) {
    return body.create() ? Optional.of(body.kernelOptions()) : Optional.empty();
  }

  private void once(
      ServerRequest request,
      ServerResponse response,
      Bodies.ExecuteBody body,
      Optional<KernelOptions> creation) {
    var identifier = Answers.name(request);
    var execution = body.request();
    var caller = Bodies.caller(request, body.client());
    core.requireExecutable(identifier, creation, caller);
    answer.send(
        request,
        response,
        execution,
        body.cancelOnDisconnect(),
        listener -> core.execute(identifier, execution, creation, caller, listener));
  }

  private void often(
      ServerRequest request,
      ServerResponse response,
      Bodies.ExecuteBody body,
      Optional<KernelOptions> creation) {
    var identifier = Answers.name(request);
    var execution = body.request();
    var repairs = body.repairs();
    var caller = Bodies.caller(request, body.client());
    core.requireExecutable(identifier, creation, caller);
    answer.send(
        request,
        response,
        execution,
        body.cancelOnDisconnect(),
        listener ->
            core.executeWithRetry(
                identifier,
                execution,
                body.maxAttempts(),
                (_, attempt) -> repair(repairs, attempt),
                creation,
                caller,
                listener));
  }

  /// What to run after the failure of an attempt counted from 1; the same again when the repairs
  /// have run out.
  private static Optional<String> repair(List<String> repairs, int attempt) {
    return repairs.stream().skip(attempt - 1L).findFirst();
  }
}
