package husk.api.docs;

import static husk.api.form.Schema.bool;
import static husk.api.form.Schema.described;
import static husk.api.form.Schema.instant;
import static husk.api.form.Schema.integer;
import static husk.api.form.Schema.listOf;
import static husk.api.form.Schema.number;
import static husk.api.form.Schema.object;
import static husk.api.form.Schema.orNull;
import static husk.api.form.Schema.ordered;
import static husk.api.form.Schema.ref;
import static husk.api.form.Schema.string;

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
