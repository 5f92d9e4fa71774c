"""The bash magics, in an IPython shell in this process and in a stock ipykernel."""

import importlib.util
import os
import signal
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from jupyter_client.manager import start_new_kernel
from traitlets.config import Config

SOURCE = Path(__file__).parent.parent / "husk_guest" / "bash.py"
MIME = "application/vnd.husk.exit-code+json"
NEEDS_PROC = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs /proc")


def load_module():
    # By path, without its package: that is how stock kernels get it too.
    spec = importlib.util.spec_from_file_location("bash_under_test", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


module = load_module()


def eventually(condition, timeout=5):
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path("/proc/{}/stat".format(pid))
    try:
        return ") Z " not in stat.read_text()
    except OSError:
        return not os.path.exists("/proc/self")


def processes_with(mark):
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


@pytest.fixture(autouse=True)
def nothing_left_behind(monkeypatch, tmp_path):
    """Every process and temporary file of a test must be gone after it."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("HUSK_TEST_MARK", mark)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.chdir(tmp_path)
    yield
    assert eventually(lambda: not processes_with(mark)), processes_with(mark)
    assert not list(temporary.glob("husk-bash-*"))


class InProcess:
    """Runs magics in an IPython shell of this process."""

    def __init__(self):
        # The singleton, because display() publishes through that one.
        InteractiveShell.clear_instance()
        self.ipython = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
        module.load(self.ipython)

    def run(self, code, magic="husk_bash", interrupt_after=None):
        timer = None
        if interrupt_after is not None:
            timer = threading.Timer(interrupt_after, os.kill, [os.getpid(), signal.SIGINT])
            timer.start()
        error = None
        with capture_output() as captured:
            try:
                assert self.ipython.run_cell_magic(magic, "", code) is None
            except (Exception, KeyboardInterrupt) as raised:
                error = raised
        if timer is not None:
            timer.join()
        codes = [output.data[MIME] for output in captured.outputs]
        return SimpleNamespace(
            stdout=captured.stdout,
            stderr=captured.stderr,
            exit_code=codes[0] if len(codes) == 1 else codes,
            error=error,
        )

    def out(self, code):
        result = self.run(code)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    def close(self):
        self.ipython._husk_bash.close()
        InteractiveShell.clear_instance()


class Kernel:
    """Runs cells in a stock ipykernel that was sent the module as text."""

    def __init__(self):
        self.manager, self.client = start_new_kernel(kernel_name="python3")
        self.pid = self.python("import os; print(os.getpid())")
        loading = (
            "import types\n"
            "husk_bash = types.ModuleType('husk_bash')\n"
            "exec({!r}, husk_bash.__dict__)\n"
            "husk_bash.load(get_ipython())\n"
        )
        self.python(loading.format(SOURCE.read_text()))

    def python(self, code):
        result = self.execute(code)
        assert result.error is None, result.traceback
        return result.stdout

    def run(self, code, magic="husk_bash", **options):
        return self.execute("%%{}\n{}".format(magic, code), **options)

    def execute(self, code, interrupt_after=None, interrupt=None):
        """Run a cell and interrupt it once it printed a certain text."""
        result = SimpleNamespace(stdout="", stderr="", exit_code=None, error=None, traceback=None, first_output=None)
        started = time.monotonic()

        def on_message(message):
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                if result.first_output is None:
                    result.first_output = time.monotonic() - started
                setattr(result, content["name"], getattr(result, content["name"]) + content["text"])
                if interrupt_after and interrupt_after in content["text"]:
                    (interrupt or self.manager.interrupt_kernel)()
            elif kind == "display_data" and MIME in content["data"]:
                result.exit_code = content["data"][MIME]
            elif kind == "error":
                result.error, result.traceback = content["ename"], content["traceback"]

        self.client.execute_interactive(code, allow_stdin=False, timeout=60, output_hook=on_message)
        result.seconds = time.monotonic() - started
        return result

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()


@pytest.fixture
def bash():
    runner = InProcess()
    yield runner
    runner.close()


@pytest.fixture
def kernel():
    runner = Kernel()
    yield runner
    runner.close()


# State


def test_variables_arrays_functions_and_options_survive_between_calls(bash):
    bash.out("x=1; declare -A map=([key]=value); greet() { echo hello $x; }; shopt -s nullglob; set -u")
    assert bash.out("greet; echo ${map[key]} *.nothing $-").startswith("hello 1\nvalue h")
    assert "u" in bash.out("echo $-").strip()


def test_the_directory_of_the_shell_survives_between_calls(bash, tmp_path):
    (tmp_path / "below").mkdir()
    bash.out("cd below")
    assert bash.out("pwd") == "{}/below\n".format(tmp_path)


def test_background_jobs_survive_between_calls(bash):
    bash.out("sleep 100 &")
    assert "Running" in bash.out("jobs")
    assert bash.run("kill %1; wait %1").exit_code == 143


def test_aliases_are_off_unless_asked_for(bash):
    assert bash.run("alias hi='echo hi'\nhi").exit_code == 127
    bash.out("shopt -s expand_aliases")
    assert bash.out("hi") == "hi\n"


def test_redirections_by_exec_survive_between_calls(bash, tmp_path):
    bash.out("exec 3>file")
    bash.out("echo text >&3; exec 3>&-")
    assert (tmp_path / "file").read_text() == "text\n"


def test_loading_again_keeps_the_running_shell(bash):
    bash.out("x=1")
    load_module().load(bash.ipython)
    assert bash.out("echo $x") == "1\n"


# Output and exit codes


def test_stdout_and_stderr_are_kept_apart(bash):
    result = bash.run("echo out; echo err >&2")
    assert (result.stdout, result.stderr) == ("out\n", "err\n")


def test_a_failing_cell_publishes_its_exit_code_and_raises(bash):
    result = bash.run("(exit 3)")
    assert result.exit_code == 3
    assert type(result.error).__name__ == "ShellError"
    assert result.error.exit_code == 3
    assert str(result.error) == "bash exited with code 3"
    assert result.error._render_traceback_() == ["ShellError: bash exited with code 3"]


def test_a_successful_cell_publishes_zero_and_returns_nothing(bash):
    result = bash.run("true")
    assert (result.exit_code, result.error) == (0, None)


def test_empty_code_succeeds(bash):
    assert bash.ipython._husk_bash.run("") == 0
    # IPython itself refuses a cell magic whose body has not even a newline.
    assert bash.out("\n") == ""
    assert bash.out("# only a comment") == ""


def test_utf8_split_between_reads_is_put_together(bash):
    assert bash.out(r"printf '\xe2\x82'; sleep 0.2; printf '\xac\n'") == "€\n"


def test_bytes_that_are_not_utf8_are_replaced(bash):
    assert bash.out(r"printf 'a\xffb\xe2'") == "a\ufffdb\ufffd"


def test_commands_read_an_empty_stdin(bash):
    assert bash.out("cat; readlink /proc/self/fd/0") == "/dev/null\n"


@NEEDS_PROC
def test_commands_do_not_inherit_private_descriptors(bash):
    # 3 is the directory that ls has open.
    assert bash.out("ls /proc/self/fd").split() == ["0", "1", "2", "3"]
    assert bash.out("ls /proc/self/fd").split() == ["0", "1", "2", "3"]


class CountingStream:
    total = biggest = 0

    def write(self, text):
        self.total += len(text)
        self.biggest = max(self.biggest, len(text))

    def flush(self):
        pass


def test_a_hundred_megabytes_pass_quickly_in_bounded_memory(bash, monkeypatch):
    stream, started = CountingStream(), time.monotonic()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        assert bash.ipython._husk_bash.run("head -c 100000000 /dev/zero | tr '\\0' x") == 0
    assert stream.total == 100000000
    assert stream.biggest <= 1 << 20
    assert time.monotonic() - started < 15


def test_tracing_shows_the_cell_and_not_the_machinery(bash):
    assert bash.run("set -x; echo a").stderr == "++ echo a\n"
    assert bash.run("echo b").stderr == "++ echo b\n"
    assert "x" in bash.run("echo $-").stdout
    bash.run("set +x")
    assert bash.run("echo c").stderr == ""


# Code


def test_code_with_a_nul_byte_is_refused(bash):
    for magic in ("husk_bash", "husk_bash_once"):
        error = bash.run("echo a\0b", magic).error
        assert isinstance(error, ValueError)
        assert "NUL" in str(error)


def test_a_syntax_error_is_reported_and_the_shell_survives(bash):
    bash.out("x=1")
    for code in ("if then", "echo 'open", "for x in; do"):
        result = bash.run(code)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "syntax error" in result.stderr or "unexpected EOF" in result.stderr
    assert bash.out("echo $x") == "1\n"


def test_an_expression_error_is_reported_and_the_shell_survives(bash):
    bash.out("x=1; divide() { echo $((1/0)); echo not this; }")
    for code in ("divide", "echo $((1/0))", "echo ${x!}"):
        result = bash.run(code)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr
    assert bash.out("echo $x") == "1\n"


def test_heredocs_functions_and_a_last_comment_work(bash):
    code = "cat <<END\nin $((1+1))\nEND\nf() {\n  echo f\n}\nf  # done\n# the end"
    assert bash.out(code) == "in 2\nf\n"


def test_line_numbers_in_messages_are_those_of_the_cell(bash):
    assert "line 2: nonesuch" in bash.run("true\nnonesuch").stderr


def test_return_at_top_level_ends_the_call_only(bash):
    assert bash.run("x=1; return 5; echo no").exit_code == 5
    assert bash.out("echo $x") == "1\n"


def test_code_of_several_megabytes_works(bash):
    assert bash.out("x={}\necho ${{#x}}".format("a" * 3000000)) == "3000000\n"


def test_the_code_is_private_while_it_runs_and_removed_afterwards(bash):
    listing = bash.out('echo "$BASH_SOURCE"; stat -c %a "$(dirname "$BASH_SOURCE")"').split()
    assert listing[1] == "700"
    assert not os.path.exists(os.path.dirname(listing[0]))


def test_removing_the_temporary_files_does_not_break_the_shell(bash):
    bash.out('rm -rf "$TMPDIR"/*')
    assert bash.out("echo fine") == "fine\n"


# The end of the shell


@pytest.mark.parametrize(
    "code, exit_code",
    [
        ("exit 3", 3),
        ("exit 0", 0),
        ("exec sh -c 'exit 4'", 4),
        ("set -e; false; echo no", 1),
        ("kill -9 $$", 137),
        ("echo ${nope:?}", 1),
    ],
)
def test_the_end_of_the_shell_is_told_and_the_next_call_starts_afresh(bash, code, exit_code):
    bash.out("x=1")
    result = bash.run("printf kept\n" + code)
    assert result.stdout == "kept"
    assert result.exit_code == exit_code
    assert (result.error is None) == (exit_code == 0)
    assert result.stderr.endswith("husk: the shell ended with exit code {}; its state is lost\n".format(exit_code))
    assert bash.out("echo [$x]") == "[]\n"


def test_a_notice_starts_on_a_line_of_its_own(bash):
    assert bash.run("printf text >&2; exit 3").stderr.startswith("text\nhusk: ")


def test_a_command_that_replaced_the_shell_is_waited_for_without_spinning(bash):
    before = time.process_time()
    assert bash.run("exec sleep 1").exit_code == 0
    assert time.process_time() - before < 0.5


def test_a_shell_that_ended_between_calls_is_told_by_the_next_one(bash):
    pid = int(bash.out("echo $$"))
    os.kill(pid, signal.SIGKILL)
    result = bash.run("echo fresh")
    # Either it is found dead at once, or while sending it the request.
    if result.exit_code == 0:
        assert result.stdout == "fresh\n"
    assert "husk: the shell ended with exit code 137; its state is lost\n" in result.stderr


def test_a_missing_bash_is_a_clear_error(bash, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    for magic in ("husk_bash", "husk_bash_once"):
        assert "bash is not installed" in str(bash.run("true", magic).error)


# Background jobs


def test_a_background_job_does_not_hold_up_the_call(bash):
    started = time.monotonic()
    bash.out("sleep 100 &")
    bash.out("(sleep 100; echo late) &")
    assert time.monotonic() - started < 5


def test_late_output_of_a_job_appears_in_the_next_call(bash):
    bash.out("(sleep 0.2; echo late; echo late error >&2; touch done) &")
    assert eventually(lambda: os.path.exists("done"))
    result = bash.run("echo now")
    assert (result.stdout, result.stderr) == ("late\nnow\n", "late error\n")


def test_a_job_that_outlives_its_shell_still_has_a_reader(bash):
    assert bash.run("(sleep 0.3; echo late; touch done) & exit 0").exit_code == 0
    assert eventually(lambda: os.path.exists("done"))
    assert bash.out("echo now") == "late\nnow\n"


def test_a_job_that_never_stops_writing_does_not_hold_up_the_call(bash):
    assert bash.run("yes & sleep 0.1").exit_code == 0
    assert bash.run("kill %1; wait").exit_code == 0


# Following Python


def test_the_shell_starts_in_the_directory_and_environment_of_python(bash, tmp_path, monkeypatch):
    monkeypatch.setenv("FROM_PYTHON", "a 'b'\nc")
    assert bash.out('echo "$FROM_PYTHON"; pwd') == "a 'b'\nc\n{}\n".format(tmp_path)


def test_the_shell_follows_when_python_changes_directory(bash, tmp_path, monkeypatch):
    (tmp_path / "it's below").mkdir()
    bash.out("cd /")
    assert bash.out("pwd") == "/\n"
    monkeypatch.chdir(tmp_path / "it's below")
    assert bash.out("pwd") == "{}/it's below\n".format(tmp_path)
    bash.out("cd /")
    assert bash.out("pwd") == "/\n"


def test_the_shell_follows_when_python_changes_its_environment(bash, monkeypatch):
    monkeypatch.setenv("KEPT", "python")
    monkeypatch.setenv("GONE", "python")
    bash.out("export KEPT=shell")
    monkeypatch.setenv("ADDED", "it's\nnew")
    monkeypatch.delenv("GONE")
    assert bash.out('env | grep ^KEPT; printenv ADDED; echo "[${GONE-unset}]"') == "KEPT=shell\nit's\nnew\n[unset]\n"
    monkeypatch.setenv("KEPT", "python again")
    assert bash.out("printenv KEPT") == "python again\n"


def test_a_directory_python_no_longer_has_changes_nothing(bash, tmp_path, monkeypatch):
    bash.out("cd /")
    doomed = tmp_path / "doomed"
    doomed.mkdir()
    monkeypatch.chdir(doomed)
    doomed.rmdir()
    assert bash.out("pwd") == "/\n"
    monkeypatch.chdir(tmp_path)


def test_bash_env_is_passed_on_but_not_read(bash, tmp_path, monkeypatch):
    (tmp_path / "startup").write_text("echo startup\n")
    monkeypatch.setenv("BASH_ENV", str(tmp_path / "startup"))
    assert bash.out("printenv BASH_ENV") == "{}\n".format(tmp_path / "startup")


# Interrupts that reach Python alone

LOOPS = [
    "while true; do sleep 0.1; done",
    "while :; do :; done",
    "f() { while true; do sleep 0.1; done; echo no; }; g() { f; echo no; }; g",
    "(while true; do sleep 0.1; done)",
    "while true; do sleep 0.1; done | cat",
    "y=$(while true; do sleep 0.1; done)",
    "sleep 100 & wait",
    "eval 'sleep 100; echo no'",
]


@pytest.mark.parametrize("code", LOOPS)
def test_an_interrupt_abandons_the_code_and_keeps_the_state(bash, code):
    bash.out("x=1")
    result = bash.run(code + "\necho no", interrupt_after=0.3)
    assert isinstance(result.error, KeyboardInterrupt)
    # Bash may tell on stderr of a subshell that had to be killed.
    assert (result.stdout, result.exit_code) == ("", 130)
    assert bash.out("echo $x") == "1\n"


@NEEDS_PROC
def test_a_command_that_survives_interrupts_is_killed_and_the_shell_kept(bash):
    bash.out("x=1; sleep 100 &")
    result = bash.run("sh -c 'trap : INT; while :; do sleep 0.1; done'; echo no", interrupt_after=0.3)
    assert isinstance(result.error, KeyboardInterrupt)
    assert "no" not in result.stdout.split()
    assert bash.run("echo $x; jobs -r | wc -l; kill %1").stdout.split() == ["1", "1"]


def test_a_command_that_ignores_interrupts_is_killed_with_its_shell(bash):
    bash.out("x=1")
    started = time.monotonic()
    result = bash.run("sh -c 'trap \"\" INT; echo $$; sleep 100'; echo no", interrupt_after=0.3)
    assert time.monotonic() - started < 5
    assert isinstance(result.error, KeyboardInterrupt)
    assert "its state is lost\n" in result.stderr
    assert eventually(lambda: not is_running(int(result.stdout)))
    assert bash.out("echo [$x]") == "[]\n"


def test_a_flood_of_output_that_ignores_interrupts_is_ended_too(bash, monkeypatch):
    started = time.monotonic()
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", CountingStream())
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            bash.ipython._husk_bash.run("trap '' INT; yes")
    assert time.monotonic() - started < 5


def test_an_interrupt_trap_of_the_user_lasts_for_its_call(bash):
    result = bash.run("trap 'echo mine' INT; sleep 100; echo after", interrupt_after=0.3)
    assert result.stdout == "mine\nafter\n"
    result = bash.run("while true; do sleep 0.1; done", interrupt_after=0.3)
    assert (result.stdout, result.stderr) == ("", "")


def test_jobs_are_numbered_as_usual_after_an_interrupt(bash):
    bash.run("while true; do sleep 0.1; done", interrupt_after=0.3)
    assert bash.out("sleep 0.1; sleep 100 & jobs").startswith("[1]+  Running")


# One-shot


def test_a_one_shot_keeps_no_state_and_leaves_the_shell_alone(bash, tmp_path):
    bash.out("x=1; cd /")
    result = bash.run("echo [$x]; pwd; x=2; cat; exit 4", "husk_bash_once")
    assert (result.stdout, result.stderr, result.exit_code) == ("[]\n{}\n".format(tmp_path), "", 4)
    assert str(result.error) == "bash exited with code 4"
    assert bash.out("echo $x") == "1\n"


def test_a_one_shot_does_not_wait_for_background_jobs(bash):
    started = time.monotonic()
    result = bash.run("sleep 4 & echo $HUSK_TEST_MARK", "husk_bash_once")
    assert result.stdout == os.environ["HUSK_TEST_MARK"] + "\n"
    assert time.monotonic() - started < 3


def test_a_one_shot_killed_by_a_signal_reports_it(bash):
    assert bash.run("kill -TERM $$", "husk_bash_once").exit_code == 143


def test_a_one_shot_can_be_interrupted(bash):
    result = bash.run("while true; do sleep 0.1; done", "husk_bash_once", interrupt_after=0.3)
    assert isinstance(result.error, KeyboardInterrupt)
    assert result.exit_code == 130


# Forks and the end of the kernel


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_gets_a_shell_of_its_own(bash):
    bash.out("x=1")
    child = os.fork()
    if child == 0:
        try:
            result = bash.run("echo [$x]")
            bash.close()
            os._exit(0 if result.stdout == "[]\n" else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert bash.out("echo $x") == "1\n"


def test_closing_ends_the_shell_and_its_jobs(bash):
    pids = [int(pid) for pid in bash.out("sleep 100 & echo $$ $!").split()]
    bash.close()
    assert eventually(lambda: not any(map(is_running, pids)))


# A stock ipykernel


def test_a_stock_kernel_runs_both_magics(kernel):
    assert kernel.run("x=1; cd /; echo out; echo err >&2").stdout == "out\n"
    result = kernel.run("echo $x; pwd; (exit 3)")
    assert (result.stdout, result.stderr, result.exit_code) == ("1\n/\n", "", 3)
    assert result.error == "ShellError"
    assert result.traceback == ["ShellError: bash exited with code 3"]
    result = kernel.run("echo [$x]", "husk_bash_once")
    assert (result.stdout, result.exit_code, result.error) == ("[]\n", 0, None)
    assert kernel.run("\n").exit_code == 0


def test_a_stock_kernel_shows_output_while_the_command_runs(kernel):
    result = kernel.run("echo early; sleep 2")
    assert result.first_output < 1.5 < result.seconds


def test_a_stock_kernel_passes_on_much_output(kernel):
    result = kernel.run("yes 0123456789abcde | head -c 20000000")
    assert len(result.stdout) == 20000000


@pytest.mark.parametrize("code", LOOPS)
def test_an_interrupt_of_a_stock_kernel_keeps_the_state(kernel, code):
    kernel.run("x=1")
    result = kernel.run("echo started\n" + code + "\necho no", interrupt_after="started")
    assert (result.stdout, result.error, result.exit_code) == ("started\n", "KeyboardInterrupt", 130)
    assert kernel.run("echo $x").stdout == "1\n"


def test_an_interrupt_of_the_kernel_process_alone_reaches_the_shell(kernel):
    kernel.run("x=1")
    pid = int(kernel.pid)
    result = kernel.run(
        "echo started; while true; do sleep 0.1; done",
        interrupt_after="started",
        interrupt=lambda: os.kill(pid, signal.SIGINT),
    )
    assert result.error == "KeyboardInterrupt"
    assert kernel.run("echo $x").stdout == "1\n"


def test_interrupting_python_leaves_an_idle_shell_and_its_jobs_alone(kernel):
    kernel.run("x=1; sleep 100 &")
    result = kernel.execute("import time; print('started', flush=True); time.sleep(60)", interrupt_after="started")
    assert result.error == "KeyboardInterrupt"
    result = kernel.run("echo $x; jobs -r | wc -l; kill %1")
    assert (result.stdout.split(), result.stderr) == (["1", "1"], "")


def test_a_shell_does_not_outlive_a_kernel_that_shuts_down(kernel):
    pid = int(kernel.run("echo $$").stdout)
    kernel.client.shutdown()
    # Both soon: ipykernel waits long for children that are not reaped.
    assert eventually(lambda: not is_running(pid) and not is_running(int(kernel.pid)), timeout=2)


def test_a_shell_does_not_outlive_a_kernel_that_is_killed(kernel):
    pid = int(kernel.run("echo $$").stdout)
    os.kill(int(kernel.pid), signal.SIGKILL)
    assert eventually(lambda: not is_running(pid))


def test_a_forked_child_does_not_keep_the_shell_of_a_killed_kernel(kernel):
    pid = int(kernel.run("echo $$").stdout)
    # The child may not return to IPython, nor be woken by the kernel's signals.
    kernel.python(
        "import os, signal, time\n"
        "if not os.fork():\n"
        "    signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "    time.sleep(3)\n"
        "    os._exit(0)"
    )
    os.kill(int(kernel.pid), signal.SIGKILL)
    assert eventually(lambda: not is_running(pid), timeout=2)
