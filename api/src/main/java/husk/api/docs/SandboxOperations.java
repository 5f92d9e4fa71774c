package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.sandboxes.SandboxForms;
import husk.api.sandboxes.SandboxParameters;
import java.util.List;
import java.util.Map;

/// The life of sandboxes.
final class SandboxOperations {
  private static final String SANDBOXES = "Sandboxes";
  static final String UNKNOWN = "There is no such sandbox.";
  static final String STOPPED = "It does not run.";

  private SandboxOperations() {}

  static List<Operation> all() {
    return List.of(
        Operation.of("GET /sandboxes", "list_sandboxes", SANDBOXES, "List sandboxes")
            .query(SandboxParameters.LABEL)
            .answers(Answer.json(200, "Oldest first.", ref("SandboxListResponse"))),
        Operation.of("POST /sandboxes", "create_sandbox", SANDBOXES, "Create a sandbox")
            .about("What this machine cannot hold is refused, and nothing is started.")
            .mayTake(
                SandboxForms.CREATE,
                "name",
                "work",
                "profile",
                "restrictive",
                "limits",
                Map.of("memory_mb", 256))
            .answers(Answer.json(201, "The sandbox.", ref("SandboxModel")))
            .refuses(409, "A sandbox has the name.")
            .refuses(501, "Its backend cannot do that."),
        Operation.of("POST /sandboxes/gc", "collect_sandboxes", SANDBOXES, "Remove the outdated")
            .about("Those that have expired or stopped; with labels, all that have them.")
            .mayTake(SandboxForms.COLLECT, "dry_run", true)
            .answers(Answer.json(200, "Their names.", ref("SandboxesRemoved"))),
        Operation.of("POST /sandboxes/clean", "clean_sandboxes", SANDBOXES, "Remove those stopped")
            .mayTake(SandboxForms.CLEAN)
            .answers(Answer.json(200, "Their names.", ref("SandboxesRemoved"))),
        one("GET /sandboxes/{name}", "get_sandbox", "Get a sandbox")
            .about("With the specification in force, and what holds each limit."),
        one("PATCH /sandboxes/{name}", "describe_sandbox", "Change labels or description")
            .mayTake(SandboxForms.DESCRIBE, "labels", Map.of("task", "eda")),
        Operation.of("DELETE /sandboxes/{name}", "remove_sandbox", SANDBOXES, "Remove a sandbox")
            .about("When it is answered, its processes and files are gone.")
            .answers(Answer.json(200, "Whether there was one.", ref("SandboxRemoved"))),
        one("POST /sandboxes/{name}/start", "start_sandbox", "Start a sandbox"),
        one("POST /sandboxes/{name}/stop", "stop_sandbox", "Stop a sandbox")
            .about("Everything in it ends; its files stay."),
        one("POST /sandboxes/{name}/extend", "extend_sandbox", "Let a sandbox live longer")
            .mayTake(SandboxForms.EXTEND, "by", "1h"),
        one("POST /sandboxes/{name}/egress", "change_egress", "Change where it may connect to")
            .about("Also while it runs; connections that are no longer allowed are closed.")
            .mayTake(SandboxForms.EGRESS, "allow", List.of("api.example.com:443")),
        Operation.of("GET /sandboxes/{name}/usage", "sandbox_usage", SANDBOXES, "What it uses now")
            .answers(Answer.json(200, "What it uses.", ref("SandboxUsage")))
            .refuses(404, UNKNOWN)
            .refuses(409, STOPPED),
        Operation.of("GET /sandboxes/{name}/events", "sandbox_events", SANDBOXES, "What happened")
            .about(
                "A page of events, or with `Accept: text/event-stream` all of them and those to"
                    + " come, from the one after `Last-Event-ID` on.")
            .query(SandboxParameters.AFTER, SandboxParameters.WAIT)
            .answers(
                Answer.json(200, "Events, oldest first.", ref("SandboxEventPage"))
                    .alsoAs("text/event-stream"))
            .refuses(404, UNKNOWN));
  }

  private static Operation one(String route, String id, String summary) {
    return Operation.of(route, id, SANDBOXES, summary)
        .answers(Answer.json(200, "The sandbox.", ref("SandboxModel")))
        .refuses(404, UNKNOWN);
  }
}
