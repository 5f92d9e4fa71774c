package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.rest.Forms;
import husk.api.rest.Parameters;
import java.util.List;

/// Running code, and what came of it.
final class ExecutionOperations {
  private static final String EXECUTION = "Execution";
  private static final String UNKNOWN = "There is no such execution.";
  private static final Object[] CODE = {"code", "import math\nmath.sqrt(81)", "timeout", 30};
  private static final Object[] REPAIRED = {
    "code", "x + 1", "max_attempts", 3, "replacement_codes", List.of("x = 41\nx + 1")
  };

  private ExecutionOperations() {}

  static List<Operation> all() {
    return List.of(
        running("POST /kernels/{id}/execute", "execute", "Execute code in a kernel")
            .takes(Forms.EXECUTE, CODE)
            .refuses(404, "There is no such kernel."),
        retrying("POST /kernels/{id}/execute/retry", "execute_with_retry")
            .takes(Forms.EXECUTE_WITH_RETRY, REPAIRED)
            .refuses(404, "There is no such kernel."),
        running("POST /sessions/{name}/execute", "execute_in_session", "Execute code in a session")
            .takes(Forms.EXECUTE, CODE)
            .refuses(404, "There is no such kernelspec or Python environment."),
        retrying("POST /sessions/{name}/execute/retry", "retry_in_session")
            .takes(Forms.EXECUTE_WITH_RETRY, REPAIRED)
            .refuses(404, "There is no such kernelspec or Python environment."),
        retrying("POST /sessions/{name}/execute_with_retry", "execute_with_retry_in_session")
            .takes(Forms.EXECUTE_WITH_RETRY, "code", "x + 1", "on_error_code", "x = 41\nx + 1")
            .refuses(404, "There is no such kernelspec or Python environment."),
        Operation.of("GET /executions", "list_executions", EXECUTION, "List a kernel's executions")
            .query(Parameters.KERNEL)
            .answers(Answer.json(200, "The latest, newest first.", ref("ExecutionListResponse")))
            .refuses(404, "There is no such kernel."),
        Operation.of("GET /executions/{id}", "get_execution", EXECUTION, "Fetch a result")
            .query(Parameters.WAIT)
            .answers(
                Answer.json(200, "The result.", ref("ExecutionResultModel")),
                Answer.json(202, "It still runs.", ref("RunningExecution")))
            .refuses(404, UNKNOWN),
        Operation.of(
                "GET /executions/{id}/events", "follow_execution", EXECUTION, "Follow an execution")
            .about(
                "Server-sent events of an execution, from its beginning or after the one that"
                    + " `Last-Event-ID` names.")
            .answers(Answer.text(200, "Its events.", "text/event-stream"))
            .refuses(404, UNKNOWN),
        Operation.of(
                "DELETE /executions/{id}", "cancel_execution", EXECUTION, "Cancel an execution")
            .answers(Answer.json(200, "Whether it still ran.", ref("CancelledResponse")))
            .refuses(404, UNKNOWN));
  }

  private static Operation running(String route, String id, String summary) {
    return Operation.of(route, id, EXECUTION, summary)
        .about(
            "Code that fails, or is late, is answered with 200 and says so in `status`. Calls to"
                + " one kernel queue; the clock starts when the code does.")
        .answers(
            Answer.json(200, "What came of it.", ref("ExecutionResultModel"))
                .alsoAs("text/event-stream")
                .alsoAs("application/vnd.husk.frames"))
        .refuses(429, "As many kernels live as may.");
  }

  private static Operation retrying(String route, String id) {
    return running(route, id, "Execute code, and repairs of it while it fails")
        .about(
            "Tries until it succeeds, at most `max_attempts` times: first `code`, then one of"
                + " `replacement_codes` after the other, the last again and again. Every attempt is"
                + " in `attempts`.");
  }
}
