"""What a kernel's process looks like right after its birth."""

import os
import signal

from harness import process_exists, wait_until


def test_the_environment_is_exactly_the_one_asked_for(spawn):
    kernel = spawn(env={"FRUIT": "plum", "MPLBACKEND": "agg"})
    asked = kernel.request["env"]
    assert eval(kernel.run("import os; dict(os.environ)").value) == asked


def test_figures_are_inline_unless_the_environment_says_otherwise(kernel):
    assert "matplotlib_inline" in kernel.run("import os; os.environ['MPLBACKEND']").value


def test_the_time_zone_of_the_environment_is_used(spawn):
    kernel = spawn(env={"TZ": "XYZ-5"})
    assert kernel.run("import time; time.tzname[0], time.timezone").value == "('XYZ', -18000)"


def test_the_working_directory_and_the_import_path_are_the_users(spawn, tmp_path):
    (tmp_path / "beside.py").write_text("answer = 42\n")
    kernel = spawn(cwd=str(tmp_path))
    seen = eval(kernel.run("import os, sys; os.getcwd(), sys.path[0], sys.argv").value)
    assert seen == (str(tmp_path), "", ["husk-kernel"])
    assert kernel.run("import beside; beside.answer").value == "42"
    assert kernel.run("[p for p in sys.path if 'guest/python' in p]").value == "[]"


def test_pythonpath_of_the_environment_is_searched(spawn, tmp_path):
    (tmp_path / "from_pythonpath.py").write_text("answer = 43\n")
    kernel = spawn(env={"PYTHONPATH": str(tmp_path)})
    assert kernel.run("import from_pythonpath; from_pythonpath.answer").value == "43"


def test_imports_of_user_modules_are_cached_as_usual(spawn, tmp_path):
    (tmp_path / "compiled.py").write_text("x = 1\n")
    spawn(cwd=str(tmp_path)).run("import compiled")
    assert (tmp_path / "__pycache__").exists()


def test_a_kernel_leads_its_own_session_and_has_its_name(kernel):
    assert os.getsid(kernel.pid) == kernel.pid
    with open("/proc/%d/comm" % kernel.pid) as file:
        assert file.read().strip() == "husk-kernel"


def test_the_start_time_names_the_process(kernel):
    with open("/proc/%d/stat" % kernel.pid) as file:
        assert int(file.read().rpartition(")")[2].split()[19]) == kernel.start_time


def test_standard_input_is_empty(kernel):
    assert kernel.run("import sys; sys.stdin.read()").value == "''"


def test_nothing_of_the_parent_is_left_open(shared_parent, kernel):
    links = [os.readlink("/proc/%d/fd/%s" % (kernel.pid, fd)) for fd in os.listdir("/proc/%d/fd" % kernel.pid)]
    parents = os.listdir("/proc/%d/fd" % shared_parent.process.pid)
    owned = {os.readlink("/proc/%d/fd/%s" % (shared_parent.process.pid, fd)) for fd in parents} - {"/dev/null"}
    assert not [link for link in links if link in owned and not link.startswith("anon_inode")]
    assert not [link for link in links if link == shared_parent.log_path]


def test_subprocesses_inherit_only_the_standard_descriptors(kernel):
    assert kernel.run("!ls /proc/self/fd").stdout.split() == ["0", "1", "2", "3"]


def test_kernels_draw_different_random_numbers(spawn):
    code = "import random, tempfile, uuid; random.random(), next(tempfile._get_candidate_names()), uuid.uuid4().hex"
    assert spawn().run(code).value != spawn().run(code).value


def test_signals_have_their_default_meaning(kernel):
    assert kernel.run("import signal; signal.getsignal(signal.SIGTERM) == signal.SIG_DFL").value == "True"
    os.kill(kernel.pid, signal.SIGTERM)
    wait_until(lambda: not process_exists(kernel.pid), "SIGTERM ended the kernel")


def test_a_crash_of_native_code_leaves_a_trace_in_the_log(kernel):
    kernel.start("import ctypes; ctypes.string_at(0)")
    assert kernel.exit_event()["signal"] == signal.SIGSEGV
    assert "Segmentation fault" in kernel.log()


def test_the_log_is_private(kernel):
    assert os.stat(os.path.join(kernel.directory, "log")).st_mode & 0o777 == 0o600


def test_user_functions_can_be_pickled(kernel):
    kernel.run("def double(x): return 2 * x")
    assert kernel.run("import pickle; pickle.loads(pickle.dumps(double))(21), double.__module__").value == "(42, '__main__')"


def test_nothing_is_written_to_the_home_directory(parent):
    parent.spawn().run("x = 1")
    assert not os.path.exists(os.path.join(parent.folder, ".ipython"))


def test_the_interpreter_is_the_one_asked_for(kernel):
    from harness import PYTHON

    assert kernel.run("import sys; sys.executable").value == repr(PYTHON)
