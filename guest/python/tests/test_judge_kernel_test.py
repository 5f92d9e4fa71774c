"""Outside judges: jupyter_kernel_test against a kernelspec of this kernel, and nbclient running a notebook."""

import json
import os

import jupyter_kernel_test
import nbformat
import pytest
from copies import CopyingParent
from harness import GUEST, PYTHON
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NAME = "husk-python"


@pytest.fixture(scope="module", autouse=True)
def kernelspec(tmp_path_factory):
    """A kernelspec where Jupyter finds it, for as long as these tests run."""
    folder = tmp_path_factory.mktemp("jupyter")
    spec = folder / "kernels" / NAME
    spec.mkdir(parents=True)
    argv = [PYTHON, os.path.join(GUEST, "kernel_main.py"), "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Husk", "language": "python"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder))
        patch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        yield


class TestJudgedKernel(jupyter_kernel_test.KernelTests):
    kernel_name = NAME
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('oops', file=sys.stderr)"
    completion_samples = [
        {"text": "zi", "matches": {"zip"}},
        {"text": "import itert", "matches": {"itertools"}},
    ]
    complete_code_samples = ["1", "print('hello, world')", "def f(x):\n  return x*2\n\n\n"]
    incomplete_code_samples = ["print('''hello", "def f(x):\n  x*2"]
    invalid_code_samples = ["import = 7q"]
    code_page_something = "zip?"
    code_generate_error = "raise ValueError('no')"
    code_execute_result = [
        {"code": "1+2+3", "result": "6"},
        {"code": "[n*n for n in range(1, 4)]", "result": "[1, 4, 9]"},
        {"code": "1+2+3", "result": "6"},
    ]
    code_display_data = [
        {"code": "from IPython.display import HTML, display; display(HTML('<b>x</b>'))", "mime": "text/html"},
        {"code": "from IPython.display import Math, display; display(Math('x'))", "mime": "text/latex"},
    ]
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"


class TestJudgedFork(TestJudgedKernel):
    """The same judge about a kernel that is a copy of another."""

    @classmethod
    def setUpClass(cls):
        cls.parent = CopyingParent()
        cls.kc = cls.copy(cls.parent.spawn()).client

    @classmethod
    def copy(cls, original):
        original.run("before = 1")
        return cls.parent.fork(original)

    @classmethod
    def tearDownClass(cls):
        cls.parent.close()


class TestJudgedRollback(TestJudgedFork):
    """And about one that was taken back to what it was."""

    @classmethod
    def copy(cls, original):
        snapshot, _ = cls.parent.snapshot(original)
        original.run("after = 1")
        os.kill(original.pid, 9)
        original.exit_event()
        back = cls.parent.revive(snapshot, original.request, fork=False)
        cls.parent.drop(snapshot)
        return back


class TestJudgedWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = NAME
    support_iopub_welcome = True


def execute(*cells, **options):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name=NAME, timeout=60, **options).execute()
    return [cell.outputs for cell in notebook.cells]


def test_nbclient_runs_a_notebook_with_prints_updates_and_results():
    outputs = execute(
        "print('hello')\nimport sys\nprint('oops', file=sys.stderr)",
        "handle = display('first', display_id=True)",
        "handle.update('second')\n6 * 7",
        "from IPython.display import clear_output\nprint('gone'); clear_output(); print('stays')",
    )
    assert {output.name: output.text for output in outputs[0]} == {"stdout": "hello\n", "stderr": "oops\n"}
    assert outputs[1][0].data["text/plain"] == "'second'"
    assert outputs[2][-1].data["text/plain"] == "42"
    assert "".join(output.text for output in outputs[3]) == "stays\n", "in however many pieces"


def test_nbclient_gets_plots():
    pytest.importorskip("matplotlib")
    outputs = execute("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])")
    assert any("image/png" in output.get("data", {}) for output in outputs[0])


def test_nbclient_sees_errors_and_can_go_on_after_them():
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute("1/0")
    outputs = execute("1/0", "'went on'", allow_errors=True)
    assert outputs[0][0].ename == "ZeroDivisionError" and outputs[1][0].data["text/plain"] == "'went on'"


def test_the_kernel_leaves_when_its_manager_is_gone(tmp_path):
    import signal
    import subprocess
    import sys

    from harness import process_exists, wait_until

    code = "from jupyter_client.manager import start_new_kernel\nkm, kc = start_new_kernel(kernel_name=%r)\n" % NAME
    code += "print(km.provisioner.pid, flush=True)\nimport time; time.sleep(1000)"
    manager = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(manager.stdout.readline())
    manager.send_signal(signal.SIGKILL)
    manager.wait()
    manager.stdout.close()
    wait_until(lambda: not process_exists(pid), "the kernel noticed")
