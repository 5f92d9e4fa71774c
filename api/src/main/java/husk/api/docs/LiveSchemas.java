package husk.api.docs;

import static husk.api.form.Schema.bool;
import static husk.api.form.Schema.described;
import static husk.api.form.Schema.instant;
import static husk.api.form.Schema.integer;
import static husk.api.form.Schema.listOf;
import static husk.api.form.Schema.number;
import static husk.api.form.Schema.object;
import static husk.api.form.Schema.oneOfWords;
import static husk.api.form.Schema.orNull;
import static husk.api.form.Schema.ordered;
import static husk.api.form.Schema.ref;
import static husk.api.form.Schema.string;

import java.util.List;
import java.util.Map;

/// What answers about live state look like.
final class LiveSchemas {
  private LiveSchemas() {}

  static Map<String, Object> all() {
    return ordered(
        "HazardModel", hazard(),
        "ForkedResponse",
            object("kernels", listOf(ref("KernelModel")), "hazards", listOf(ref("HazardModel"))),
        "CheckpointModel", checkpoint(),
        "CheckpointTakenResponse",
            object(
                "checkpoint", ref("CheckpointModel"),
                "hazards", listOf(ref("HazardModel")),
                "evicted",
                    described(
                        listOf(ref("CheckpointModel")),
                        "Older ones that were dropped to stay within the memory for them.")),
        "CheckpointListResponse", object("checkpoints", listOf(ref("CheckpointModel"))),
        "CheckpointDroppedResponse", object("dropped", bool()),
        "RolledBackResponse",
            object("checkpoint", ref("CheckpointModel"), "kernel", ref("KernelModel")),
        "VariableModel", variable(),
        "VariableChangeModel", variableChange(),
        "VariableChangesModel",
            object(
                "added", listOf(ref("VariableChangeModel")),
                "removed", listOf(ref("VariableChangeModel")),
                "changed", listOf(ref("VariableChangeModel"))),
        "FileChangesModel", files(),
        "DiffResponse", diff(),
        "EffectsModel", effects(),
        "PreviewDecidedResponse",
            object(
                "decision", oneOfWords(List.of("kept", "discarded")), "kernel", ref("KernelModel")),
        "VariantModel", variant(),
        "BestOfResponse", bestOf());
  }

  private static Map<String, Object> hazard() {
    return object(
        "kind", described(string(), "`thread`, `connection`, `process` and the like."),
        "name", described(string(), "What its user knows it by."),
        "fate", described(string(), "What becomes of it in a copy."));
  }

  private static Map<String, Object> checkpoint() {
    return object(
        "id", string(),
        "label", orNull(string()),
        "created_at", instant(),
        "files", described(bool(), "Whether the kernel's files were kept too."),
        "pid", described(integer(), "The frozen copy of its process."),
        "start_time", described(integer(), "When that began, in clock ticks."));
  }

  private static Map<String, Object> variable() {
    return object(
        "type", described(string(), "The name of its type."),
        "shape",
            described(
                orNull(listOf(integer())),
                "Of an array or a frame; of what has a length, that alone."),
        "size", described(orNull(integer()), "In bytes."));
  }

  private static Map<String, Object> variableChange() {
    return object(
        "name", string(),
        "before", described(orNull(ref("VariableModel")), "Null if it was not there."),
        "after", described(orNull(ref("VariableModel")), "Null if it is gone."));
  }

  private static Map<String, Object> files() {
    return object(
        "added", described(listOf(string()), "Paths inside; folders end with a slash."),
        "changed", listOf(string()),
        "deleted", listOf(string()));
  }

  private static Map<String, Object> diff() {
    return object(
        "against", described(string(), "The checkpoint's label or id, or the other kernel."),
        "variables", ref("VariableChangesModel"),
        "files",
            described(
                orNull(ref("FileChangesModel")), "Null where the files are not the kernel's own."),
        "partial", partial());
  }

  private static Map<String, Object> partial() {
    return described(bool(), "Whether something could not be looked at, or was more than listed.");
  }

  private static Map<String, Object> effects() {
    return object(
        "checkpoint",
            described(orNull(string()), "The state before it, while the decision is open."),
        "variables",
            described(orNull(ref("VariableChangesModel")), "Null if the kernel died of it."),
        "files",
            described(
                orNull(ref("FileChangesModel")), "Null where the files are not the kernel's own."),
        "processes",
            described(
                orNull(listOf(object("argv", listOf(string()), "running", bool()))),
                "What it started, and whether that still ran at its end."),
        "hosts",
            described(
                orNull(listOf(object("host", string(), "port", integer(), "allowed", bool()))),
                "What its sandbox wanted to reach; null without a sandbox."),
        "partial", partial());
  }

  private static Map<String, Object> variant() {
    return object(
        "index", described(integer(), "Counted from 0, in the order of `codes` or `seeds`."),
        "code", string(),
        "seed", orNull(integer()),
        "result", ref("ExecutionResultModel"),
        "score", described(orNull(number()), "What `score` gave."),
        "score_error", described(orNull(string()), "Why it gave no number."));
  }

  private static Map<String, Object> bestOf() {
    return object(
        "variants", listOf(ref("VariantModel")),
        "winner",
            described(
                orNull(integer()),
                "The index of the best; null if none succeeded, and the kernel is" + " as it was."),
        "promoted", described(bool(), "Whether the winner has taken the kernel's place."),
        "hazards", listOf(ref("HazardModel")));
  }
}
