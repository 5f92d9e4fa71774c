package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class HelpTest {
  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
  }

  @Test
  void helpListsEveryCommand() {
    assertThat(calls.husk("help")).isZero();
    assertThat(calls.out())
        .isEqualTo(
            """
            Husk: persistent kernels and isolated sandboxes for AI agents

            Usage: husk COMMAND [OPTIONS]

            Kernels:
              create                 Create a kernel
              list                   List the kernels, oldest first
              status                 Show a kernel and whether it is alive
              restart                Restart a kernel; its variables are lost
              interrupt              Interrupt what a kernel is running
              destroy                Destroy a kernel
              wipe                   Destroy all kernels
              logs                   Print a kernel's log
              connection-file        Print the path of a kernel's Jupyter connection file

            Executions:
              exec                   Run code in a kernel, or a command in a sandbox: exec SANDBOX COMMAND...
              result                 Show the result of an execution
              executions             List the executions of a kernel

            Live state:
              fork                   Make a running copy of a kernel, with its variables and files
              promote                Give a kernel the variables and files of one of its forks
              best-of                Try several pieces of code at once, each in a fork, and keep the best
              checkpoint             Keep a kernel's variables and files as they are now, to go back to
              checkpoints            List the checkpoints of a kernel, oldest first
              rollback               Take a kernel's variables and files back to a checkpoint
              checkpoint-drop        Drop a checkpoint, given by its label or id
              diff                   Show which variables and files changed since a checkpoint, or differ from a fork
              keep                   Let what a preview did stay
              discard                Take back what a preview did to variables and files

            Sandboxes:
              run                    Run a command in a sandbox of its own, which is gone afterwards
              attach                 Open a shell in a sandbox
              replay                 Play a recorded session (asciicast v2)
              cp                     Copy a file or folder to or from a sandbox: SANDBOX:PATH on one side
              exec-list              List the commands of a sandbox, those that run and those that ended
              exec-logs              Print what a detached command has written
              exec-kill              Signal a command of a sandbox and all it started
              sandbox create         Make a sandbox and start it
              sandbox start          Start a sandbox, with the files it had
              sandbox stop           Stop a sandbox; its files stay
              sandbox remove         Remove sandboxes and their files
              sandbox list           List the sandboxes
              sandbox info           Show a sandbox: its state, limits, rules and ports
              sandbox allow          Let a sandbox connect to more hosts
              sandbox deny           Keep a sandbox from connecting to hosts
              sandbox forget-rule    Take rules of `allow` and `deny` back
              sandbox events         Show what happened to a sandbox, such as refused connections
              sandbox extend-ttl     Let a sandbox live longer, counted from its end or from now
              sandbox gc             Remove expired sandboxes, or all that have these labels
              sandbox clean          Remove all stopped sandboxes
              sandbox export         Write a sandbox's workspace and home to a tar archive
              sandbox import         Make a sandbox with the files of `sandbox export`
              sandbox export-config  Print a husk.toml that makes a sandbox like this one
              sandbox import-config  Make a sandbox from a husk.toml or agentkernel.toml

            Serving:
              serve                  Serve kernels over HTTP: KernelBox's REST API, Jupyter's, and Husk's own

            Python and other languages:
              setup                  Install what Python kernels need
              python list            List the Python environments
              python add             Make a Python environment
              python remove          Remove a Python environment
              kernels                List the kernelspecs to choose from

            This installation:
              doctor                 Check this machine for what Husk needs
              config show            Show the settings and where each comes from
              trust                  Let a project's husk.toml or agentkernel.toml, as it is now, widen your settings
              untrust                No longer let a project's file widen your settings
              daemon start           Start the daemon unless it is running
              daemon stop            Stop the daemon; kernels live on without it
              daemon status          Show the daemon; exit code 1 if none is running
              daemon logs            Print the daemon's log
              daemon run             Run the daemon in the foreground
              completions            Print a completion script for a shell
              version                Print the version
              help                   Show help about Husk or a command

            `husk COMMAND --help` says more about a command.
            Exit codes: 0 success, 1 the code failed, 2 usage, 3 not found, 4 unavailable, 5 conflict,
            6 refused, 70 internal, 130 interrupted. `run`, `attach` and `exec SANDBOX` give the command's
            own: 124 after its time, 125 if Husk failed, 126 not executable, 127 not found.
            """);
    String help = calls.out();
    assertThat(calls.husk("--help")).isZero();
    assertThat(calls.out()).isEqualTo(help);
    assertThat(calls.husk()).isEqualTo(2);
    assertThat(calls.out()).isEqualTo(help);
  }

  @Test
  void aCommandsHelpListsItsOptions() {
    assertThat(calls.husk("exec", "--help")).isZero();
    assertThat(calls.out())
        .isEqualTo(
            """
            Run code in a kernel, or a command in a sandbox: exec SANDBOX COMMAND...

            Usage: husk exec [OPTIONS] [CODE]

            Options:
                  --name NAME              The kernel's name
                  --id ID                  The kernel's id
              -f, --file PATH              Take the code from a file
                  --bash                   The code is for bash, in the kernel's persistent shell
                  --language LANGUAGE      `python` (the kernel's own) or `bash`
                  --one-shot               For bash: use a fresh shell
                  --timeout TIME           How long the code may run, such as 30s or 5m; 0: no limit
                  --output-limit COUNT     How many characters of output to keep; 0: all
                  --rollback WHEN          Take its effects back: on_error, always or never
                  --preview                Tell what it did, then keep or discard that
                  --keep                   With --preview: keep it in any case
                  --discard                With --preview: take it back in any case
                  --stream                 Pass output on as it comes, instead of the result
                  --images FOLDER          Save images there and name them, instead of base64
                  --json                   Print JSON at a terminal too; with --stream: an event per line
                  --session-name NAME      A second name to find the kernel by
                  --tag KEY=VALUE          A label of your own; repeatable
                  --cwd FOLDER             Where the kernel starts; default: /workspace (host: here)
                  --env KEY[=VALUE]        A variable for the kernel, or one to pass on; repeatable
                  --python PYTHON          An environment's name, a venv's folder or an interpreter
                  --kernel KERNEL          `husk`, or the name of a kernelspec
                  --backend BACKEND        bubblewrap: in a sandbox; host: without protection
                  --sandbox NAME           A sandbox to live in, instead of one of its own
                  --profile PROFILE        What its sandbox may do: permissive, moderate, restrictive
                  --memory SIZE            Of all its processes together, such as 512M or 4G
                  --cpus SHARE             Processors, such as 0.5 or 2
                  --disk SIZE              How much its workspace and home may hold
                  --live-state on|off      Whether it can be copied; default: unless restrictive
                  --startup-code CODE      Code to run after every start
                  --idle-timeout TIME      How long it may idle before it is reaped; 0: for ever
                  --quiet                  Do not say what is being waited for
              -h, --help                   Show this help

            Run a command in a sandbox

            Usage: husk exec [OPTIONS] SANDBOX COMMAND...

            Options:
              -e, --env KEY[=VALUE]        A variable, or one to pass on; repeatable
              -w, --workdir FOLDER         Where it starts; default: /workspace
              -d, --detach                 Let it go on by itself; see exec-list, exec-logs, exec-kill
                  --timeout TIME           End it after this time, such as 30s or 5m; exit code 124
              -t, --tty                    Give it a terminal, also where there is none
              -i, --interactive            Accepted; it always is
                  --no-input               Leave standard input alone
                  --json                   Print JSON
                  --quiet                  Do not say what is being waited for
              -h, --help                   Show this help
            """);
    String help = calls.out();
    assertThat(calls.husk("help", "exec")).isZero();
    assertThat(calls.out()).isEqualTo(help);
  }

  @Test
  void aFamilysHelpListsItsCommands() {
    assertThat(calls.husk("help", "python")).isZero();
    assertThat(calls.out())
        .isEqualTo(
            """
            Usage: husk python COMMAND [OPTIONS]

            Commands:
              python list            List the Python environments
              python add             Make a Python environment
              python remove          Remove a Python environment
            """);
    assertThat(calls.husk("daemon", "stop", "-h")).isZero();
    assertThat(calls.out()).startsWith("Stop the daemon; kernels live on without it\n");
  }

  @Test
  void unknownCommandsAreAnsweredWithTheNearest() {
    assertThat(calls.husk("exce", "1")).isEqualTo(2);
    assertThat(calls.err())
        .isEqualTo(
            """
            error: there is no command `exce`; did you mean `exec`?

            hint: `husk --help` shows what there is
            """);
    assertThat(calls.husk("python", "ad", "x")).isEqualTo(2);
    assertThat(calls.err()).contains("did you mean `python add`?");
    assertThat(calls.husk("daemon")).isEqualTo(2);
    assertThat(calls.err())
        .startsWith("error: `husk daemon` needs one of: start, stop, status, logs, run\n");
  }

  @Test
  void headingsAreBoldWithColours() {
    assertThat(Help.all(true)).contains("\u001b[1mUsage:\u001b[0m");
    assertThat(Problems.coloured("error: x\n\nhint: y error: z\n"))
        .isEqualTo("\u001b[1;31merror:\u001b[0m x\n\n\u001b[1;36mhint:\u001b[0m y error: z\n");
  }

  @Test
  void theVersionIsPrintedForPeopleAndPrograms() {
    assertThat(calls.husk("--version")).isZero();
    assertThat(calls.out()).matches("husk \\d+\\.\\d+\\.\\d+\n");
    assertThat(calls.husk("version", "--json")).isZero();
    assertThat(calls.out()).matches("(?s)\\{\n  \"version\": \"[0-9.]+\"\n}\n");
  }
}
