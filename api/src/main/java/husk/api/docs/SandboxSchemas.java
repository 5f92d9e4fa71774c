package husk.api.docs;

import static husk.api.form.Schema.bool;
import static husk.api.form.Schema.described;
import static husk.api.form.Schema.id;
import static husk.api.form.Schema.instant;
import static husk.api.form.Schema.integer;
import static husk.api.form.Schema.listOf;
import static husk.api.form.Schema.mapOf;
import static husk.api.form.Schema.object;
import static husk.api.form.Schema.oneOfWords;
import static husk.api.form.Schema.orNull;
import static husk.api.form.Schema.ordered;
import static husk.api.form.Schema.ref;
import static husk.api.form.Schema.string;

import husk.spi.CommandEnd;
import husk.spi.FileEntry;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What answers about sandboxes look like.
final class SandboxSchemas {
  private SandboxSchemas() {}

  static Map<String, Object> all() {
    var all = ordered();
    all.putAll(sandboxes());
    all.putAll(commands());
    all.putAll(files());
    return all;
  }

  private static Map<String, Object> sandboxes() {
    return ordered(
        "SandboxModel", sandbox(),
        "SandboxListResponse", object("sandboxes", listOf(ref("SandboxModel"))),
        "SandboxSpec", spec(),
        "SandboxMount", object("source", string(), "target", string(), "writable", bool()),
        "PortMapping",
            object("host", described(integer(), "0 stands for any."), "inside", integer()),
        "SandboxRemoved", object("removed", bool()),
        "SandboxesRemoved", object("removed", listOf(string()), "count", integer()),
        "SandboxUsage",
            object(
                "processes", integer(),
                "memory_kb", integer(),
                "cpu_ms", integer(),
                "workspace_bytes", integer()),
        "SandboxEvent", object("at", instant(), "type", string(), "details", mapOf(string())),
        "SandboxEventPage",
            object(
                "events", listOf(ref("SandboxEvent")),
                "next", described(integer(), "What to send as `after` the next time.")));
  }

  private static Map<String, Object> sandbox() {
    return object(
        "name", string(),
        "id", id(),
        "status", oneOfWords(List.of("created", "starting", "ready", "running", "stopped")),
        "backend", string(),
        "profile", string(),
        "network", bool(),
        "created_at", instant(),
        "last_used_at", instant(),
        "ttl_seconds", integer(),
        "expires_at", orNull(instant()),
        "labels", mapOf(string()),
        "description", orNull(string()),
        "pid", described(integer(), "Its first process on the server; 0 when it does not run."),
        "ports", described(listOf(ref("PortMapping")), "As published."),
        "limits_held_by", described(mapOf(string()), "What holds each limit while it runs."),
        "agent_socket", described(orNull(string()), "Where its agent listens, on the server."),
        "workspace", described(string(), "Its /workspace on the server."),
        "spec", described(ref("SandboxSpec"), "The specification in force."));
  }

  private static Map<String, Object> spec() {
    return object(
        "backend", string(),
        "profile", string(),
        "network", bool(),
        "egress", object("open", bool(), "allow", listOf(string()), "deny", listOf(string())),
        "mounts", listOf(ref("SandboxMount")),
        "lent", listOf(string()),
        "hidden", listOf(string()),
        "env", mapOf(string()),
        "limits", described(mapOf(integer()), "0 stands for none."),
        "read_only", bool(),
        "ports", listOf(ref("PortMapping")),
        "commands",
            described(
                orNull(object("only", bool(), "allow", listOf(string()), "deny", listOf(string()))),
                "Which programs of the machine are there; all, if null."),
        "temporary_seconds", integer());
  }

  private static Map<String, Object> commands() {
    return ordered(
        "CommandResult", result(),
        "CommandEnd", object(end()),
        "CommandLogs", object("stdout", string(), "stderr", string(), "truncated", bool()),
        "CommandModel",
            object(
                "id", string(),
                "sandbox", string(),
                "command", listOf(string()),
                "pid", described(integer(), "Inside."),
                "status", oneOfWords(List.of("running", "completed", "failed")),
                "exit_code", orNull(integer()),
                "started_at", instant(),
                "ended_at", orNull(instant()),
                "detached", bool(),
                "end", orNull(ref("CommandEnd"))),
        "CommandListResponse", object("commands", listOf(ref("CommandModel"))),
        "SignalSent", object("signal", integer()),
        "Bytes", object("bytes", integer()));
  }

  private static Map<String, Object> result() {
    return object(
        Stream.concat(
                Stream.of(
                    "stdout", described(string(), "At most 10 MiB."),
                    "stderr", described(string(), "At most 10 MiB."),
                    "truncated", described(bool(), "Whether there was more.")),
                Stream.of(end()))
            .toArray());
  }

  private static Object[] end() {
    return new Object[] {
      "exit_code",
      described(integer(), "As a shell tells it: 128 and the signal's number, 124 at a timeout."),
      "success",
      bool(),
      "code",
      described(orNull(integer()), "What it exited with, if it did."),
      "signal",
      described(orNull(integer()), "What ended it, if it did not exit."),
      "reason",
      oneOfWords(Stream.of(CommandEnd.Reason.values()).map(CommandEnd.Reason::wireName).toList()),
      "wall_ms",
      integer(),
      "user_ms",
      integer(),
      "system_ms",
      integer(),
      "max_rss_kb",
      integer(),
      "dropped",
      described(integer(), "Bytes of a detached command's output that were not kept.")
    };
  }

  private static Map<String, Object> files() {
    return ordered(
        "FileModel",
            object(
                "name", string(),
                "type",
                    oneOfWords(
                        Stream.of(FileEntry.Kind.values()).map(FileEntry.Kind::wireName).toList()),
                "size", integer(),
                "mode", described(string(), "Rights in octal figures."),
                "modified_at", instant(),
                "target", described(orNull(string()), "Where a symbolic link leads.")),
        "FileListResponse", object("entries", listOf(ref("FileModel"))),
        "PathModel", object("path", string()));
  }
}
