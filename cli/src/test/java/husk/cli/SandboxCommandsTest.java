package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What the commands about sandboxes ask the daemon, and how they show its answers.
@ExtendWith(LeakDetector.class)
@Timeout(30)
final class SandboxCommandsTest {
  private static final String TWO =
      "{\"sandboxes\":[{\"name\":\"app-main\",\"x\":1},{\"name\":\"apple\"}]}";

  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  /// What the daemon was asked by this call.
  private String asked(String... words) throws IOException {
    try (var daemon = calls.daemon(_ -> FakeDaemon.json("", "{}"))) {
      assertThat(calls.husk(words)).as(calls.err()).isZero();
      return daemon.requests.getLast();
    }
  }

  @Test
  void aSandboxIsMadeAsAskedFor() throws IOException {
    assertThat(
            asked(
                "sb",
                "create",
                "dev",
                "-l",
                "team=a",
                "--description",
                "mine",
                "--ttl",
                "2d",
                "--no-start"))
        .startsWith("POST /sandboxes ")
        .contains(
            "\"name\":\"dev\"",
            "\"labels\":{\"team\":\"a\"}",
            "\"description\":\"mine\"",
            "\"ttl_seconds\":172800",
            "\"started\":false",
            "\"client\":");
    assertThat(asked("sandbox", "create", "dev")).contains("\"started\":true");
  }

  @Test
  void everyCommandHasItsRoute() throws IOException {
    assertThat(asked("sandbox", "start", "a b")).startsWith("POST /sandboxes/a%20b/start ");
    assertThat(asked("sandbox", "stop", "x")).startsWith("POST /sandboxes/x/stop ");
    assertThat(asked("sandbox", "info", "x")).startsWith("GET /sandboxes/x ");
    assertThat(asked("sandbox", "remove", "x", "y")).startsWith("DELETE /sandboxes/y ");
    assertThat(asked("sandbox", "extend-ttl", "x"))
        .startsWith("POST /sandboxes/x/extend ")
        .contains("\"seconds\":3600");
    assertThat(asked("sandbox", "extend-ttl", "x", "--by", "2d")).contains("\"seconds\":172800");
    assertThat(asked("sandbox", "gc", "--dry-run", "-l", "a=b"))
        .startsWith("POST /sandboxes/gc ")
        .contains("\"labels\":{\"a\":\"b\"}", "\"dry_run\":true");
    assertThat(asked("sandbox", "clean", "-f", "--all"))
        .startsWith("POST /sandboxes/clean ")
        .contains("\"force\":true", "\"all\":true");
    assertThat(asked("sandbox", "clean")).contains("\"force\":false", "\"all\":false");
    assertThat(asked("sandbox", "allow", "x", "*.org", "10.0.0.0/8"))
        .startsWith("POST /sandboxes/x/egress ")
        .contains("\"allow\":[\"*.org\",\"10.0.0.0/8\"],\"deny\":[],\"forget\":[]");
    assertThat(asked("sandbox", "deny", "x", "h")).contains("\"deny\":[\"h\"]");
    assertThat(asked("sandbox", "forget-rule", "x", "h")).contains("\"forget\":[\"h\"]");
  }

  @Test
  void mistakesAreNamedBeforeAnythingIsAsked() {
    assertThat(calls.husk("sandbox", "create", "x", "--ttl", "soon")).isEqualTo(2);
    assertThat(calls.err()).contains("`--ttl` is `soon`");
    assertThat(calls.husk("sandbox", "create", "x", "--memory", "lots")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "create", "x", "--cpu", "none")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "create", "x", "-l", "novalue")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "create", "x", "--branch")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "extend-ttl", "x", "--by", "0")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "allow", "x")).isEqualTo(2);
    assertThat(calls.husk("sandbox", "list", "x")).isEqualTo(2);
    assertThat(calls.husk("run")).isEqualTo(2);
    assertThat(calls.err()).contains("COMMAND... is missing");
    assertThat(calls.husk("sandbox", "crate", "x")).isEqualTo(2);
    assertThat(calls.err()).contains("did you mean `sandbox create`?");
  }

  @Test
  void listsAreFilteredByLabelAndProject() throws IOException {
    assertThat(asked("sandbox", "list", "-l", "a=b/c"))
        .startsWith("GET /sandboxes?label=a%3Db%2Fc");
    try (var _ =
        calls.daemon(
            request ->
                request.contains("Accept: text/plain")
                    ? FakeDaemon.json("", "NAME     STATUS\napp-main running\napple    running\n")
                    : FakeDaemon.json("", TWO))) {
      assertThat(calls.husk("sandbox", "list")).isZero();
      assertThat(calls.out()).isEqualTo("NAME     STATUS\napp-main running\napple    running\n");
      assertThat(calls.husk("sandbox", "list", "--project", "app")).isZero();
      assertThat(calls.out()).isEqualTo("NAME     STATUS\napp-main running\n");
      assertThat(calls.husk("sandbox", "list", "--project", "app", "--json")).isZero();
      assertThat(calls.out()).isEqualTo("{\"sandboxes\":[{\"name\":\"app-main\",\"x\":1}]}\n");
      assertThat(calls.husk("sandbox", "list", "--names")).isZero();
      assertThat(calls.out()).isEqualTo("app-main\napple\n");
      assertThat(calls.husk("sandbox", "list", "--json")).isZero();
      assertThat(calls.out()).isEqualTo(TWO + "\n");
    }
  }

  @Test
  void eventsAreLinesForPeopleAndForPrograms() throws IOException {
    var page =
        "{\"events\": [{\"at\": \"2026-01-02T03:04:05Z\", \"type\": \"refused\","
            + " \"details\": {\"host\": \"a b\", \"rule\": \"x\\u001b[1m\"}}], \"next\": 1}";
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", page))) {
      assertThat(calls.husk("sandbox", "events", "x")).isZero();
      assertThat(calls.out()).isEqualTo("2026-01-02T03:04:05Z refused host=a b rule=x?[1m\n");
      assertThat(calls.husk("sandbox", "events", "x", "--json")).isZero();
      assertThat(calls.out())
          .isEqualTo(
              "{\"at\":\"2026-01-02T03:04:05Z\",\"type\":\"refused\","
                  + "\"details\":{\"host\":\"a b\",\"rule\":\"x\\u001b[1m\"}}\n");
    }
  }

  @Test
  void followedEventsGoOnWhereTheyEnded() throws IOException {
    try (var daemon =
        calls.daemon(
            request ->
                request.contains("after=0")
                    ? FakeDaemon.json("", "{\"events\":[{\"type\":\"a\"}],\"next\":7}")
                    : FakeDaemon.answer(
                        "404 Not Found",
                        "Husk-Problem: sandbox_not_found\r\n",
                        "{\"error\":{\"code\":\"sandbox_not_found\",\"message\":\"gone\"}}"))) {
      assertThat(calls.husk("sandbox", "events", "x", "-f")).isEqualTo(3);
      assertThat(calls.out()).isEqualTo("- a\n");
      assertThat(daemon.requests.getLast()).startsWith("GET /sandboxes/x/events?after=7&wait=20");
    }
  }

  @Test
  void aConfigurationHoldsWhatMakesTheSandboxAgain() throws IOException {
    var sandbox =
        """
        {"name": "dev", "backend": "bubblewrap", "profile": "moderate", "ttl_seconds": 3600,
         "labels": {"a.b": "c"}, "description": "it's \\"mine\\"",
         "spec": {"network": true, "egress": {"open": false, "allow": ["*.org"], "deny": ["x"]},
           "mounts": [{"source": "/python", "target": "/python", "writable": false},
                      {"source": "/src", "target": "/data", "writable": true}],
           "lent": ["/src"],
           "env": {"K": "v w"}, "limits": {"memory_mb": 512, "cpu_percent": 0},
           "ports": [{"host": 8080, "inside": 80}, {"host": 0, "inside": 9}]}}
        """;
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", sandbox))) {
      assertThat(calls.husk("sandbox", "export-config", "dev")).as(calls.err()).isZero();
    }
    assertThat(calls.out())
        .isEqualTo(
            """
            [sandbox]
            name = "dev"
            backend = "bubblewrap"
            description = "it's \\"mine\\""
            ttl = "3600s"
            mounts = ["/src:/data:rw"]

            [sandbox.labels]
            "a.b" = "c"

            [resources]
            memory_mb = 512

            [network]
            ports = ["8080:80", "9"]

            [security]
            profile = "moderate"
            network = true

            [security.domains]
            allow = ["*.org"]
            block = ["x"]
            allowlist_only = true

            [environment]
            K = "v w"
            """);
  }

  @Test
  void branchNamesComeFromGit() throws Exception {
    var folder = java.nio.file.Files.createDirectory(calls.temp.resolve("My_App"));
    for (String line :
        new String[] {
          "init -q -b Feature/One",
          "-c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q --allow-empty -m x"
        }) {
      var git = new java.util.ArrayList<>(java.util.List.of("git"));
      git.addAll(java.util.List.of(line.split(" ")));
      assertThat(new ProcessBuilder(git).directory(folder.toFile()).start().waitFor()).isZero();
    }
    var terminal =
        new Terminal(
            java.io.InputStream.nullInputStream(),
            calls.out,
            calls.err,
            calls.environment,
            folder.toString());
    assertThat(GitBranch.sandbox(terminal)).isEqualTo("my-app-feature-one");
    assertThat(GitBranch.project(terminal)).isEqualTo("my-app");
    new ProcessBuilder("git", "checkout", "-q", "--detach")
        .directory(folder.toFile())
        .start()
        .waitFor();
    assertThat(GitBranch.sandbox(terminal)).matches("my-app-[0-9a-f]{7,}");
  }
}
