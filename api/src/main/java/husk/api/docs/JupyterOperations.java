package husk.api.docs;

import static husk.api.form.Schema.listOf;
import static husk.api.form.Schema.ref;

import husk.api.form.Schema;
import java.util.List;
import java.util.Map;

/// Jupyter Server's own API, as its clients know it.
final class JupyterOperations {
  private static final String JUPYTER = "Jupyter";

  private JupyterOperations() {}

  static List<Operation> all() {
    return List.of(
        operation("GET /api", "jupyter_version", "Jupyter's version")
            .answers(Answer.json(200, "The version.", ref("JupyterVersion"))),
        operation("GET /api/", "jupyter_version_too", "Jupyter's version")
            .answers(Answer.json(200, "The version.", ref("JupyterVersion"))),
        operation("GET /api/status", "jupyter_status", "How busy the server is")
            .answers(Answer.json(200, "Its status.", ref("JupyterStatus"))),
        operation("GET /api/kernelspecs", "jupyter_kernelspecs", "List kernelspecs")
            .answers(Answer.json(200, "By name.", ref("JupyterKernelSpecs"))),
        operation("GET /api/kernelspecs/{name}", "jupyter_kernelspec", "Get a kernelspec")
            .answers(Answer.json(200, "The kernelspec.", ref("JupyterKernelSpec")))
            .answers(unknown("kernelspec")),
        operation(
                "GET /kernelspecs/{name}/{resource}",
                "jupyter_kernelspec_file",
                "A kernelspec's file")
            .answers(
                Answer.text(200, "Its logo, or another file of it.", "image/png")
                    .alsoAs("image/svg+xml")
                    .alsoAs("text/css")
                    .alsoAs("text/javascript")
                    .alsoAs("application/octet-stream"))
            .answers(unknown("file")),
        operation("GET /api/kernels", "jupyter_list_kernels", "List kernels")
            .answers(Answer.json(200, "All kernels.", listOf(ref("JupyterKernel")))),
        operation("POST /api/kernels", "jupyter_start_kernel", "Start a kernel")
            .with(body("JupyterKernelRequest", Map.of("name", "python3")))
            .answers(Answer.json(201, "The kernel.", ref("JupyterKernel")))
            .answers(wrong(), tooLarge(), full())
            .answers(unknown("kernelspec")),
        operation("GET /api/kernels/{id}", "jupyter_get_kernel", "Get a kernel")
            .answers(Answer.json(200, "The kernel.", ref("JupyterKernel")))
            .answers(unknown("kernel")),
        operation("DELETE /api/kernels/{id}", "jupyter_shut_down_kernel", "Shut a kernel down")
            .answers(Answer.empty(204, "It is gone."))
            .answers(unknown("kernel")),
        operation("POST /api/kernels/{id}/interrupt", "jupyter_interrupt", "Interrupt a kernel")
            .answers(Answer.empty(204, "It was interrupted."))
            .answers(unknown("kernel")),
        operation("POST /api/kernels/{id}/restart", "jupyter_restart", "Restart a kernel")
            .answers(Answer.json(200, "The kernel.", ref("JupyterKernel")))
            .answers(unknown("kernel")),
        operation("GET /api/sessions", "jupyter_list_sessions", "List sessions")
            .answers(Answer.json(200, "All sessions.", listOf(ref("JupyterSession")))),
        operation("POST /api/sessions", "jupyter_start_session", "Start a session")
            .with(body("JupyterSessionRequest", session()))
            .answers(Answer.json(201, "The session.", ref("JupyterSession")))
            .answers(wrong(), tooLarge(), full())
            .answers(unknown("kernel or kernelspec")),
        operation("GET /api/sessions/{id}", "jupyter_get_session", "Get a session")
            .answers(Answer.json(200, "The session.", ref("JupyterSession")))
            .answers(unknown("session")),
        operation("PATCH /api/sessions/{id}", "jupyter_change_session", "Change a session")
            .with(body("JupyterSessionRequest", Map.of("name", "renamed")))
            .answers(Answer.json(200, "The session.", ref("JupyterSession")))
            .answers(wrong(), tooLarge(), full())
            .answers(unknown("session")),
        operation("DELETE /api/sessions/{id}", "jupyter_delete_session", "End a session")
            .answers(Answer.empty(204, "It is gone, with its kernel."))
            .answers(unknown("session")));
  }

  private static Operation operation(String route, String id, String summary) {
    return Operation.of(route, id, JUPYTER, summary);
  }

  private static Operation.Body body(String schema, Map<String, Object> example) {
    return new Operation.Body(false, ref(schema), example);
  }

  private static Map<String, Object> session() {
    return Schema.ordered(
        "path",
        "analysis.ipynb",
        "name",
        "analysis",
        "type",
        "notebook",
        "kernel",
        Map.of("name", "python3"));
  }

  private static Answer wrong() {
    return Answer.json(400, "The body cannot be understood.", ref("JupyterError"));
  }

  private static Answer tooLarge() {
    return Answer.json(413, "The body is larger than 4 MiB.", ref("JupyterError"));
  }

  private static Answer full() {
    return Answer.json(429, "As many kernels live as may.", ref("JupyterError"));
  }

  private static Answer unknown(String what) {
    return Answer.json(404, "There is no such " + what + ".", ref("JupyterError"));
  }
}
