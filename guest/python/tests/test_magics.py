"""Shell commands and the magics that agents use."""

import os
import zipfile


def test_shell_commands_stream_and_keep_their_exit_code(kernel):
    result = kernel.run("!echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr) == ("out\n", "err\n")
    assert kernel.run("_exit_code").value == "3"
    assert kernel.run("name = 'x y'\n!echo {name} $name").stdout == "x y x y\n"
    assert kernel.run("files = !echo a b\nfiles").value == "['a b']"


def test_bash_cells_keep_streams_apart_and_report_failure(kernel):
    result = kernel.run("%%bash\necho out\necho err >&2\nexit 2")
    assert (result.stdout, result.stderr) == ("out\n", "err\n")
    assert result.status == "error" and result.reply["ename"] == "CalledProcessError"


def test_husk_bash_is_available(kernel):
    assert kernel.run("%%husk_bash\nx=5; cd /").status == "ok"
    assert kernel.run("%%husk_bash\necho $x $PWD").stdout == "5 /\n"


def test_timeit_capture_and_writefile_work(kernel):
    assert "loop" in kernel.run("%%timeit -n 2 -r 1\nsum(range(10))").stdout
    assert kernel.run("%%capture c\nprint('hidden'); display('y')").messages == []
    assert kernel.run("c.stdout").value == "'hidden\\n'"
    kernel.run("%%writefile note.txt\nsome text")
    with open(os.path.join(kernel.directory, "note.txt")) as file:
        assert file.read() == "some text\n"


def test_cd_run_and_who_work(kernel, tmp_path):
    (tmp_path / "script.py").write_text("print('script ran'); z = 9\n")
    kernel.run("%cd " + str(tmp_path))
    assert "script ran" in kernel.run("%run script.py").stdout
    assert kernel.run("z").value == "9"
    assert "z" in kernel.run("%who").stdout


def make_wheel(folder):
    path = os.path.join(str(folder), "husk_probe-1.0-py3-none-any.whl")
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("husk_probe.py", "answer = 42\n")
        wheel.writestr("husk_probe-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: husk-probe\nVersion: 1.0\n")
        wheel.writestr("husk_probe-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("husk_probe-1.0.dist-info/RECORD", "")
    return path


def test_a_package_can_be_installed_and_imported_in_the_same_kernel(spawn, tmp_path):
    target = tmp_path / "site"
    target.mkdir()
    kernel = spawn(env={"PYTHONPATH": str(target)})
    assert kernel.run("import husk_probe").reply["ename"] == "ModuleNotFoundError"
    installed = kernel.run("%pip install --no-index --no-deps --target " + str(target) + " " + make_wheel(tmp_path))
    assert installed.status == "ok", installed.stderr
    assert kernel.run("import husk_probe; husk_probe.answer").value == "42", installed.stdout + installed.stderr


def test_a_magic_of_an_extension_can_be_loaded(kernel):
    assert kernel.run("%load_ext autoreload\n%autoreload 2").status == "ok"
