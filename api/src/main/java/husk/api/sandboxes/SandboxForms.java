package husk.api.sandboxes;

import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Form;
import husk.api.form.Limits;
import husk.api.form.ListOfText;
import husk.api.form.MapOfText;
import husk.api.form.Nested;
import husk.api.form.Text;
import husk.api.form.Variables;
import husk.api.form.Whole;
import husk.api.rest.Forms;
import java.util.List;
import java.util.Map;

/// What callers may send about sandboxes. These forms are strict: a misspelled restriction is
/// refused, because to ignore it would be to lift it.
public final class SandboxForms {
  private static final Text TEXT = new Text();
  private static final Flag FLAG = new Flag();
  private static final ListOfText LIST = new ListOfText();

  public static final Form<SandboxBodies.CreateBody> CREATE =
      new Form<>(
              "SandboxCreateRequest",
              SandboxBodies.CreateBody.class,
              List.of(
                  Field.optional("name", TEXT, "Its name; one is made up if it is left out.")
                      .like("work"),
                  Field.optional(
                      "backend", TEXT, "Who makes it: `bubblewrap`, or `host` for no walls."),
                  Field.optional(
                      "profile",
                      TEXT,
                      "permissive, moderate or restrictive; `moderate` if it is left out."),
                  Field.optional("network", FLAG, "Whether anything can be reached at all."),
                  Field.optional(
                          "allow", LIST, "Rules of where it may connect to; with any, only there.")
                      .like(List.of("*.example.org:443")),
                  Field.optional("deny", LIST, "Rules of where it may not; they win."),
                  Field.optional(
                      "dir", TEXT, "A folder of the server that it sees, writable, as /workspace."),
                  Field.optional(
                      "mounts", LIST, "More of the server's: SOURCE:TARGET, read-only, or `:rw`."),
                  Field.optional("env", new Variables(), "Variables of everything inside.")
                      .like(Map.of("STAGE", "test")),
                  Limits.BY_NAME,
                  Limits.MEMORY,
                  Limits.PROCESSORS,
                  Field.optional(
                          "ports",
                          LIST,
                          "Published on the server's loopback: HOST:INSIDE, or INSIDE.")
                      .like(List.of("8080:8000")),
                  Field.optional("labels", new MapOfText(), "Labels of your own.")
                      .like(Map.of("task", "eda")),
                  Field.optional("description", TEXT, "What it is for."),
                  Field.optional(
                      "ttl_seconds", new Whole(0), "After so long it is removed; 0: never."),
                  Field.optional(
                      "temporary_seconds",
                      new Whole(0),
                      "Not 0: it ends with its last command, or if none comes within so long."),
                  Field.optional("started", FLAG, "Whether to start it at once; usually yes."),
                  Field.optional("config", TEXT, "A project's file on the server, as husk.toml."),
                  Field.optional(
                      "program", TEXT, "What it is made to run, whose language's tools it gets."),
                  Field.optional(
                      "client", new Nested(Forms.CLIENT), "Who asks, as Husk's clients tell it.")))
          .knowingAll();

  public static final Form<SandboxBodies.DescribeBody> DESCRIBE =
      new Form<>(
              "SandboxDescription",
              SandboxBodies.DescribeBody.class,
              List.of(
                  Field.optional("labels", new MapOfText(), "All its labels from now on."),
                  Field.optional("description", TEXT, "What it is for.")))
          .knowingAll();

  public static final Form<SandboxBodies.ExtendBody> EXTEND =
      new Form<>(
              "SandboxExtension",
              SandboxBodies.ExtendBody.class,
              List.of(
                  Field.optional("seconds", new Whole(1), "How much longer it may live."),
                  Field.optional("by", TEXT, "The same in words; an hour if neither is there.")
                      .like("1h")))
          .knowingAll();

  public static final Form<SandboxBodies.EgressBody> EGRESS =
      new Form<>(
              "SandboxEgress",
              SandboxBodies.EgressBody.class,
              List.of(
                  Field.optional("allow", LIST, "Rules to add."),
                  Field.optional("deny", LIST, "Rules to add that forbid, and win."),
                  Field.optional("forget", LIST, "Rules of either kind to remove."),
                  Field.optional("open", FLAG, "Whether what no rule speaks of is allowed.")))
          .knowingAll();

  public static final Form<SandboxBodies.CollectBody> COLLECT =
      new Form<>(
              "SandboxCollection",
              SandboxBodies.CollectBody.class,
              List.of(
                  Field.optional("labels", new MapOfText(), "Everything that has all of these."),
                  Field.usually(false, "dry_run", FLAG, "Only say what would be removed.")))
          .knowingAll();

  public static final Form<SandboxBodies.CleanBody> CLEAN =
      new Form<>(
              "SandboxCleaning",
              SandboxBodies.CleanBody.class,
              List.of(
                  Field.usually(false, "force", FLAG, "Those that run, too."),
                  Field.usually(
                      false, "all", FLAG, "Also what is left of sandboxes that nobody knows of.")))
          .knowingAll();

  private SandboxForms() {}

  /// Every form that a description of the API has to show.
  public static List<Form<?>> all() {
    return List.of(
        CREATE,
        DESCRIBE,
        EXTEND,
        EGRESS,
        COLLECT,
        CLEAN,
        CommandForms.EXEC,
        CommandForms.DETACH,
        CommandForms.WINDOW,
        CommandForms.SIGNAL,
        CommandForms.DIRECTORY,
        CommandForms.MOVE);
  }
}
