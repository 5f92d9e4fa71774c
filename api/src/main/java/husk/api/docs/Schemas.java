package husk.api.docs;

import static husk.api.form.Schema.any;
import static husk.api.form.Schema.bool;
import static husk.api.form.Schema.constant;
import static husk.api.form.Schema.described;
import static husk.api.form.Schema.id;
import static husk.api.form.Schema.instant;
import static husk.api.form.Schema.integer;
import static husk.api.form.Schema.listOf;
import static husk.api.form.Schema.mapOf;
import static husk.api.form.Schema.number;
import static husk.api.form.Schema.object;
import static husk.api.form.Schema.oneOfWords;
import static husk.api.form.Schema.orNull;
import static husk.api.form.Schema.ordered;
import static husk.api.form.Schema.ref;
import static husk.api.form.Schema.string;

import husk.model.Death;
import husk.model.KernelStatus;
import husk.model.Problem;
import husk.model.ResultStatus;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What answers look like: KernelBox's fields under its names, then Husk's.
final class Schemas {
  private Schemas() {}

  static Map<String, Object> all() {
    var all = ordered();
    all.putAll(kernels());
    all.putAll(executions());
    all.putAll(service());
    all.putAll(problems());
    return all;
  }

  private static Map<String, Object> kernels() {
    return ordered(
        "KernelModel", kernel(),
        "KernelListResponse", object("kernels", listOf(ref("KernelModel"))),
        "SessionListResponse", object("sessions", listOf(ref("KernelModel"))),
        "KernelStatusResponse",
            object(
                "alive", described(bool(), "Whether its process lives; a busy kernel does."),
                "responsive", described(bool(), "Whether it reacts to its heartbeat."),
                "kernel", ref("KernelModel")),
        "KernelDestroyedResponse", object("destroyed", bool()),
        "KernelWipeResponse", object("destroyed", listOf(id())),
        "InterruptedResponse", object("interrupted", bool()),
        "DeathModel",
            object(
                "cause", words(Stream.of(Death.Cause.values()).map(Death.Cause::wireName)),
                "exit_code", orNull(integer()),
                "signal", orNull(integer()),
                "detail", string()));
  }

  private static Map<String, Object> kernel() {
    return object(
        "kernel_id", described(id(), "Its id."),
        "connection_file", described(string(), "Jupyter's connection file."),
        "name", described(orNull(string()), "Its name."),
        "created_at", instant(),
        "last_used_at", instant(),
        "status", words(Stream.of(KernelStatus.values()).map(KernelStatus::wireName)),
        "session_name", described(orNull(string()), "A second name to find it by."),
        "attempt_count", described(integer(), "Attempts that retrying executions made on it."),
        "tags", mapOf(string()),
        "age_seconds", number(),
        "pid", orNull(integer()),
        "start_time", described(orNull(integer()), "When the process began, in clock ticks."),
        "backend", described(string(), "How it is isolated."),
        "kernel", described(string(), "`husk`, or the name of a kernelspec."),
        "python", described(orNull(string()), "Its interpreter."),
        "cwd", described(string(), "The directory it was started in."),
        "environment", described(listOf(string()), "The names of its variables."),
        "memory", described(orNull(integer()), "Resident bytes."),
        "idle_timeout", described(number(), "Seconds it may idle; 0 means for ever."),
        "startup_error", described(orNull(string()), "How its startup code failed."),
        "death", described(orNull(ref("DeathModel")), "Why its process ended."),
        "forked_from", described(orNull(id()), "The id of the kernel it is a copy of."),
        "responsive?", described(bool(), "In refreshed lists: whether its heartbeat answers."));
  }

  private static Map<String, Object> executions() {
    return ordered(
        "ExecutionResultModel", result(),
        "ErrorInfoModel",
            object("ename", string(), "evalue", string(), "traceback", listOf(string())),
        "OutputItemModel",
            object(
                "kind", string(),
                "text", orNull(string()),
                "name", described(orNull(string()), "`stdout` or `stderr`, for streams."),
                "data", described(mapOf(any()), "By MIME type; for errors, the error's fields."),
                "metadata", mapOf(any())),
        "ImageModel",
            object("mime", string(), "data", described(string(), "Base64, or SVG itself.")),
        "AttemptSnapshotModel",
            object(
                "attempt", described(integer(), "Counted from 1."),
                "code", string(),
                "status", status(),
                "output", string(),
                "stderr", string(),
                "error", orNull(ref("ErrorInfoModel"))),
        "ExecutionModel",
            object(
                "execution_id", id(),
                "kernel_id", id(),
                "status", described(string(), "As a result's, or `running`."),
                "started_at", instant(),
                "ended_at", orNull(instant()),
                "code", string()),
        "ExecutionListResponse", object("executions", listOf(ref("ExecutionModel"))),
        "RunningExecution", object("execution_id", id(), "status", constant("running")),
        "CancelledResponse", object("cancelled", bool()));
  }

  private static Map<String, Object> result() {
    return object(
        "execution_id", id(),
        "status", status(),
        "output", described(string(), "Standard output."),
        "stderr", described(string(), "Standard error."),
        "error", orNull(ref("ErrorInfoModel")),
        "return_value", described(orNull(string()), "Text of the last expression's value."),
        "execution_count", orNull(integer()),
        "duration_ms", integer(),
        "outputs", described(listOf(ref("OutputItemModel")), "Everything, in order."),
        "images", described(listOf(ref("ImageModel")), "The pictures among the outputs."),
        "exit_code", described(orNull(integer()), "Of a shell command."),
        "attempts", listOf(ref("AttemptSnapshotModel")),
        "truncated", described(bool(), "Whether anything was cut."),
        "truncated_fields", listOf(string()),
        "state_lost", described(bool(), "Whether the kernel had died and was started afresh."),
        "death", described(orNull(ref("DeathModel")), "Why the kernel ended, if it did."),
        "rolled_back", described(bool(), "Whether kernel and files are as before it."),
        "restored_from",
            described(
                orNull(string()), "The checkpoint the kernel was brought back to, having died."),
        "effects", described(orNull(ref("EffectsModel")), "What a preview did."));
  }

  private static Map<String, Object> status() {
    return words(Stream.of(ResultStatus.values()).map(ResultStatus::wireName));
  }

  private static Map<String, Object> service() {
    return ordered(
        "ApiLink", object("href", string(), "description", string()),
        "RootResponse", object("service", string(), "links", mapOf(ref("ApiLink"))),
        "HealthResponse",
            object(
                "success", bool(),
                "data", string(),
                "status", constant("ok"),
                "service", string(),
                "version", string()),
        "KernelSpecModel",
            object(
                "name", string(),
                "display_name", string(),
                "language", string(),
                "argv", listOf(string()),
                "env", mapOf(string()),
                "interrupt_mode", oneOfWords(List.of("signal", "message")),
                "resources", described(string(), "Its folder.")),
        "KernelSpecsResponse", object("kernelspecs", mapOf(ref("KernelSpecModel"))));
  }

  private static Map<String, Object> problems() {
    return ordered(
        "Detail", object("detail", string()),
        "ProblemInfo",
            object(
                "code", words(Stream.of(Problem.Code.values()).map(Problem.Code::wireName)),
                "message", described(string(), "What failed, on which value, and why."),
                "remedies", described(listOf(string()), "What to do next."),
                "details?",
                    described(
                        object("hazards", listOf(ref("HazardModel"))),
                        "What a copy would lack, if that is why it was refused.")),
        "Problem", object("detail", string(), "error", ref("ProblemInfo")),
        "HTTPValidationError",
            object("detail", listOf(ref("ValidationError")), "error", ref("ProblemInfo")),
        "ValidationError",
            object(
                "type", described(string(), "Pydantic's name for the kind of fault."),
                "loc", listOf(Schemas.step()),
                "msg", string(),
                "input", described(any(), "What was sent."),
                "ctx?", mapOf(any())));
  }

  private static Map<String, Object> step() {
    return ordered("anyOf", List.of(string(), integer()));
  }

  private static Map<String, Object> words(Stream<String> names) {
    return oneOfWords(names.toList());
  }
}
