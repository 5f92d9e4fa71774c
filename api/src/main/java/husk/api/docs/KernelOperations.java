package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.rest.Forms;
import husk.api.rest.Parameters;
import java.util.List;
import java.util.Map;

/// Kernels by id, name or session name, and sessions: kernels that are made when first asked for.
final class KernelOperations {
  private static final String KERNELS = "Kernels";
  private static final String SESSIONS = "Sessions";
  private static final String UNKNOWN_KERNEL = "There is no such kernel.";
  private static final String UNKNOWN_SESSION = "There is no such session.";
  private static final String FULL = "As many kernels live as may.";

  private KernelOperations() {}

  static List<Operation> all() {
    return List.of(
        Operation.of("GET /kernels", "list_kernels", KERNELS, "List kernels")
            .query(Parameters.REFRESH)
            .answers(Answer.json(200, "All kernels, oldest first.", ref("KernelListResponse"))),
        Operation.of("POST /kernels", "create_kernel", KERNELS, "Create a kernel")
            .takes(Forms.KERNEL, "name", "data-analysis", "tags", Map.of("task", "eda"))
            .answers(Answer.json(201, "The kernel, started.", ref("KernelModel")))
            .refuses(404, "There is no such kernelspec or Python environment.")
            .refuses(409, "A living kernel has the name.")
            .refuses(429, FULL),
        Operation.of("DELETE /kernels", "destroy_all_kernels", KERNELS, "Destroy all kernels")
            .answers(Answer.json(200, "The ids of those destroyed.", ref("KernelWipeResponse"))),
        Operation.of("GET /kernels/{id}", "get_kernel", KERNELS, "Get a kernel's status")
            .answers(Answer.json(200, "The kernel.", ref("KernelStatusResponse")))
            .refuses(404, UNKNOWN_KERNEL),
        Operation.of("DELETE /kernels/{id}", "destroy_kernel", KERNELS, "Destroy a kernel")
            .about("When it is answered, everything of the kernel is gone.")
            .answers(Answer.json(200, "It is gone.", ref("KernelDestroyedResponse")))
            .refuses(404, UNKNOWN_KERNEL),
        Operation.of("POST /kernels/{id}/restart", "restart_kernel", KERNELS, "Restart a kernel")
            .about(
                "A new process under the same name, as the first was started; its variables are"
                    + " gone.")
            .answers(Answer.json(200, "The kernel, started anew.", ref("KernelModel")))
            .refuses(404, UNKNOWN_KERNEL),
        Operation.of(
                "POST /kernels/{id}/interrupt", "interrupt_kernel", KERNELS, "Interrupt a kernel")
            .about("Ends what it runs; its variables stay.")
            .answers(Answer.json(200, "It was interrupted.", ref("InterruptedResponse")))
            .refuses(404, "There is no such kernel, or it is dead."),
        Operation.of("GET /kernels/{id}/log", "get_kernel_log", KERNELS, "Read a kernel's log")
            .answers(Answer.text(200, "The end of its log.", "text/plain"))
            .refuses(404, UNKNOWN_KERNEL),
        Operation.of("GET /sessions", "list_sessions", SESSIONS, "List sessions")
            .query(Parameters.REFRESH)
            .answers(
                Answer.json(
                    200, "The kernels that have a session name.", ref("SessionListResponse"))),
        Operation.of(
                "POST /sessions/{name}",
                "get_or_create_session",
                SESSIONS,
                "Get or create a session")
            .about("The living kernel of this name. The body matters only when there is none yet.")
            .mayTake(Forms.SESSION, "tags", Map.of("task", "eda"), "cwd", "/tmp")
            .answers(Answer.json(200, "The kernel, alive.", ref("KernelModel")))
            .refuses(404, "There is no such kernelspec or Python environment.")
            .refuses(429, FULL),
        Operation.of("GET /sessions/{name}", "get_session", SESSIONS, "Get a session's status")
            .answers(Answer.json(200, "Its kernel.", ref("KernelStatusResponse")))
            .refuses(404, UNKNOWN_SESSION),
        Operation.of("DELETE /sessions/{name}", "destroy_session", SESSIONS, "Destroy a session")
            .answers(Answer.json(200, "It is gone.", ref("KernelDestroyedResponse")))
            .refuses(404, UNKNOWN_SESSION),
        Operation.of(
                "POST /sessions/{name}/restart", "restart_session", SESSIONS, "Restart a session")
            .answers(Answer.json(200, "Its kernel, started anew.", ref("KernelModel")))
            .refuses(404, UNKNOWN_SESSION),
        Operation.of(
                "POST /sessions/{name}/interrupt",
                "interrupt_session",
                SESSIONS,
                "Interrupt a session")
            .answers(Answer.json(200, "It was interrupted.", ref("InterruptedResponse")))
            .refuses(404, "There is no such session, or its kernel is dead."));
  }
}
