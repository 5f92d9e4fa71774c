package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.form.Form;
import husk.api.rest.LiveForms;
import husk.api.rest.Parameters;
import java.util.List;
import java.util.stream.Stream;

/// Forks, checkpoints and rollbacks, of kernels and of sessions.
final class LiveOperations {
  private static final String LIVE = "Live state";
  private static final String REFUSED =
      "A copy would lack something of the kernel, and `proceed` was not asked for.";
  private static final String FOREIGN = "Only Husk's own Python kernel can be copied.";

  private LiveOperations() {}

  static List<Operation> all() {
    return Stream.concat(
            of("/kernels/{id}", "kernel", "There is no such kernel.").stream(),
            of("/sessions/{name}", "session", "There is no such session.").stream())
        .toList();
  }

  private static List<Operation> of(String path, String who, String unknown) {
    return List.of(
        copying("POST " + path + "/fork", "fork_" + who, "Fork a " + who)
            .about(
                "Running copies with all its variables, imports, open files and history, each in a"
                    + " sandbox of its own with a copy of the files.")
            .mayTake(LiveForms.FORK, "as", "attempt", "count", 3)
            .answers(Answer.json(201, "The copies, alive.", ref("ForkedResponse")))
            .refuses(404, unknown)
            .refuses(429, "As many kernels live as may."),
        taking("POST " + path + "/promote", "promote_fork_of_" + who, LiveForms.PROMOTE)
            .about(
                "The kernel keeps its id, name, connection file and sandbox; its variables and"
                    + " files are the fork's. The fork lives on.")
            .answers(Answer.json(200, "The kernel.", ref("KernelModel")))
            .refuses(404, unknown)
            .refuses(501, FOREIGN),
        copying("POST " + path + "/checkpoints", "checkpoint_" + who, "Take a checkpoint")
            .mayTake(LiveForms.CHECKPOINT, "label", "clean-data")
            .answers(Answer.json(201, "It is taken.", ref("CheckpointTakenResponse")))
            .refuses(404, unknown),
        Operation.of(
                "GET " + path + "/checkpoints",
                "list_checkpoints_of_" + who,
                LIVE,
                "List the checkpoints")
            .answers(Answer.json(200, "The oldest first.", ref("CheckpointListResponse")))
            .refuses(404, unknown),
        Operation.of(
                "DELETE " + path + "/checkpoints/{checkpoint}",
                "drop_checkpoint_of_" + who,
                LIVE,
                "Drop a checkpoint, given by its label or id")
            .answers(Answer.json(200, "It is gone.", ref("CheckpointDroppedResponse")))
            .refuses(404, unknown + " Or it has no such checkpoint."),
        Operation.of("POST " + path + "/rollback", "roll_back_" + who, LIVE, "Roll back")
            .about(
                "Variables and files are again what they were at the checkpoint, which stays. What"
                    + " runs is ended.")
            .mayTake(LiveForms.ROLLBACK, "to", "clean-data")
            .answers(Answer.json(200, "It is there.", ref("RolledBackResponse")))
            .refuses(404, unknown + " Or it has no such checkpoint."),
        Operation.of("GET " + path + "/diff", "diff_" + who, LIVE, "What has changed")
            .about(
                "Since a checkpoint, the latest unless one is named; or as compared with another"
                    + " kernel. What is here and not there is `added`.")
            .query(Parameters.CHECKPOINT, Parameters.WITH)
            .answers(Answer.json(200, "Variables and files.", ref("DiffResponse")))
            .refuses(404, unknown + " Or it has no such checkpoint.")
            .refuses(501, "Only the variables of Husk's own Python kernel can be compared."),
        deciding(path, "keep", who, "Let what a preview did stay", unknown),
        deciding(path, "discard", who, "Take back what a preview did", unknown),
        copying("POST " + path + "/best-of", "best_of_" + who, "Try several pieces of code")
            .about(
                "Each runs in a fork of its own, all at once. The best takes the kernel's place,"
                    + " the others are gone. Tries that fail are answered with 200 too.")
            .takes(LiveForms.BEST_OF, "codes", List.of("x = 1", "x = 2"), "score", "x")
            .answers(Answer.json(200, "What came of each.", ref("BestOfResponse")))
            .refuses(404, unknown)
            .refuses(429, "As many kernels live as may."));
  }

  private static Operation copying(String route, String id, String summary) {
    return Operation.of(route, id, LIVE, summary).refuses(409, REFUSED).refuses(501, FOREIGN);
  }

  private static Operation deciding(
      String path, String decision, String who, String summary, String unknown) {
    return Operation.of(
            "POST " + path + "/preview/" + decision, decision + "_preview_of_" + who, LIVE, summary)
        .mayTake(LiveForms.DECISION)
        .answers(Answer.json(200, "It is decided.", ref("PreviewDecidedResponse")))
        .refuses(404, unknown + " Or it has no preview to decide on.")
        .refuses(409, "The preview still runs.");
  }

  private static Operation taking(String route, String id, Form<?> form) {
    return Operation.of(route, id, LIVE, "Put a fork in the place of its original")
        .takes(form, "fork", "attempt-2");
  }
}
