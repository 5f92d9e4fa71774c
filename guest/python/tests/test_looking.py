"""What a kernel tells of its variables and of the processes that a cell started, and that nobody notices the look."""

import pytest

from harness import WarmParent, process_exists, wait_until


@pytest.fixture(scope="module")
def parent():
    parent = WarmParent()
    yield parent
    parent.close()


@pytest.fixture
def kernel(parent):
    return parent.spawn()


def look(kernel, **content):
    reply = kernel.ask("husk_look_request", content)
    assert reply["status"] == "ok", reply
    return reply


def run(kernel, code):
    result = kernel.run(code)
    assert result.reply["status"] == "ok", result.reply
    return result


def variables(kernel, **content):
    return look(kernel, **content)["variables"]


def digest(kernel, name):
    return variables(kernel)[name]["digest"]


def test_a_new_kernel_has_no_variables(kernel):
    assert look(kernel) == {"status": "ok", "variables": {}, "partial": False}


def test_variables_are_those_that_the_user_made(kernel):
    run(kernel, "import os as system\n_hidden = 1\nx = [1, 2]\ndef f(): pass\nclass C: pass\nx")
    found = variables(kernel)
    assert {name: one["type"] for name, one in found.items()} == {
        "system": "module",
        "x": "list",
        "f": "function",
        "C": "type",
    }
    assert found["x"]["shape"] == [2] and found["x"]["size"] > 0
    assert found["f"]["shape"] is None


def test_a_name_of_ipythons_own_is_a_variable_once_the_user_takes_it(kernel):
    run(kernel, "globals()['exit'] = 3")
    assert list(variables(kernel)) == ["exit"]


def test_arrays_and_frames_have_their_shape_and_the_size_of_what_they_hold(kernel):
    run(kernel, "import numpy, pandas\na = numpy.zeros((3, 4))[1:]\nd = pandas.DataFrame({'n': range(5)})\ns = numpy.int8(1)")
    found = variables(kernel)
    assert (found["a"]["type"], found["a"]["shape"], found["a"]["size"]) == ("ndarray", [2, 4], 64)
    assert (found["d"]["type"], found["d"]["shape"]) == ("DataFrame", [5, 1])
    assert found["s"]["shape"] == []


@pytest.mark.parametrize(
    "before, change",
    [
        ("x = 1", "x = 2"),
        ("x = [[1], 'ü']", "x[0][0] = 2"),
        ("import numpy; x = numpy.zeros(1000)", "x[999] = 1"),
        ("import numpy; x = numpy.zeros((9, 9)).T[::2]", "x[0, 0] = 1"),
        ("import numpy; x = numpy.zeros(3)", "x = x.astype('i8')"),
        ("import pandas; x = pandas.DataFrame({'a': [1, 2]})", "x.loc[0, 'a'] = 9"),
        ("x = bytearray(50_000_000)", "x[-1] = 1"),
        ("def x(): return 1", "def x(): return 2"),
        ("x = lambda a=1: a", "x = lambda a=2: a"),
        ("def outer(n):\n  return lambda: n\nx = outer(1)", "x = outer(2)"),
        ("class x:\n  def f(self): return 1", "class x:\n  def f(self): return 2"),
        ("class x:\n  @property\n  def f(self): return 1", "class x:\n  @property\n  def f(self): return 2"),
        ("class C: pass\nx = C(); x.a = 1", "x.a = 2"),
        ("x = {1: {2: {3: 4}}}", "x[1][2][3] = 5"),
        ("import math as x", "import json as x"),
        ("x = {'itself': None}; x['itself'] = x", "x['more'] = 1"),
    ],
)
def test_a_change_changes_the_digest_and_nothing_else_does(kernel, before, change):
    run(kernel, before)
    first = digest(kernel, "x")
    assert first is not None
    run(kernel, "1 + 1; other = [x]")
    assert digest(kernel, "x") == first
    run(kernel, change)
    assert digest(kernel, "x") not in (first, None)


def test_the_same_cell_run_again_changes_nothing(kernel):
    code = "import enum, dataclasses\ndef f(n, *, k=[1]):\n  '''doc'''\n  return [f, n] if n else (lambda: k)\n"
    code += "class E(enum.Enum):\n  A = 1\n@dataclasses.dataclass\nclass D:\n  n: int = 1\nx = D()"
    run(kernel, code)
    before = {name: one["digest"] for name, one in variables(kernel).items()}
    run(kernel, code)
    assert {name: one["digest"] for name, one in variables(kernel).items()} == before
    assert None not in (before["f"], before["E"], before["D"], before["x"])


def test_what_cannot_be_pickled_has_no_digest_but_an_identity(kernel):
    run(kernel, "import threading\nlock = threading.Lock()\ng = (n for n in [1])")
    first = variables(kernel)
    assert "digest" not in first["lock"] and "digest" not in first["g"]
    assert variables(kernel)["g"]["identity"] == first["g"]["identity"]
    run(kernel, "h = g; g = (n for n in [1])")
    assert variables(kernel)["g"]["identity"] != first["g"]["identity"]


HOSTILE = """\
import os, sys, random, time, signal
log = []
class Raises(BaseException): pass
def bad(*_): log.append(1); print('noise'); sys.stderr.write('noise'); random.random(); os.write(1, b'noise'); raise Raises
class Reduces: __reduce__ = bad
class Sized: __sizeof__ = bad
class Long: __len__ = bad
class Shaped: shape = property(bad)
class Huge:
    shape = (10**30,)
    nbytes = -5
class Meta(type):
    __name__ = property(bad)
    __instancecheck__ = __getattribute__ = bad
class Odd(metaclass=Meta): pass
class Classless:
    __class__ = property(bad)
class Exits:
    def __reduce__(self): os._exit(3)
class Kills:
    def __reduce__(self): os.kill(os.getpid(), signal.SIGSEGV)
values = [k() for k in (Reduces, Sized, Long, Shaped, Huge, Odd, Classless, Exits, Kills)]
a, b, c, d, e, f, g, h, i = values
del values
z = 'the last'
"""


def test_hostile_values_are_told_as_far_as_they_let_themselves_and_notice_nothing(kernel):
    run(kernel, HOSTILE)
    run(kernel, "state = random.getstate()")
    reply = look(kernel)
    found = reply["variables"]
    assert reply["partial"]  # two values ended the look at them
    assert [found[name]["type"] for name in "abcdefghi"] == [
        "Reduces", "Sized", "Long", "Shaped", "Huge", "Odd", "Classless", "Exits", "Kills"
    ]  # fmt: skip
    assert "digest" not in found["a"] and "size" not in found["b"] and "shape" not in found["d"]
    assert "shape" not in found["e"] and "size" not in found["e"]
    assert found["z"]["digest"] is not None
    after = run(kernel, "log, random.getstate() == state")
    assert (after.value, after.stdout, after.stderr) == ("([], True)", "", "")


@pytest.mark.parametrize("scribbled", ["[1]\\n", '{"shape": 7}\\n', '{"size": -1}\\n', "nonsense\\n", "{}\\n" * 50])
def test_what_a_value_writes_to_where_it_is_told_does_no_harm(kernel, scribbled):
    run(kernel, "import os, fcntl\nclass Scribbles:\n  def __reduce__(self):\n    for fd in os.listdir('/proc/self/fd'):\n"
        "      fd = int(fd)\n      try:\n        if os.readlink('/proc/self/fd/%%d' %% fd).startswith('pipe') and fd > 2: os.write(fd, b'%s')\n"
        "      except OSError: pass\n    return int, ()\na = Scribbles()" % scribbled)  # fmt: skip
    look(kernel)
    assert run(kernel, "1 + 1").value == "2"


def test_a_value_that_never_returns_costs_its_share_of_the_time_and_the_rest_is_told(kernel):
    run(kernel, "class Slow:\n  def __reduce__(self):\n    while True: pass")
    run(kernel, "class Stubborn:\n  def __reduce__(self):\n    while True:\n      try:\n        while True: pass\n      except BaseException: pass")
    run(kernel, "slow, stubborn, last = Slow(), Stubborn(), 'last'")
    reply = look(kernel, seconds=8)
    assert reply["partial"]
    assert "digest" not in reply["variables"]["slow"] and "digest" not in reply["variables"]["stubborn"]
    assert reply["variables"]["last"]["digest"]
    assert run(kernel, "1 + 1").value == "2"


def test_of_very_many_variables_the_first_are_looked_at(kernel):
    run(kernel, "for n in range(3000): globals()['v%d' % n] = n\ndel n")
    reply = look(kernel)
    assert reply["partial"] and len(reply["variables"]) == 3000
    assert "digest" in reply["variables"]["v1999"]
    assert sorted(reply["variables"]["v2999"]) == ["identity", "type"]


def test_a_name_that_is_no_text_or_no_name_is_no_trouble(kernel):
    run(kernel, "globals().update({1: 2, '\\ud800': 3, 'a b': 4, 'x' * 1000: 5})")
    assert [name for name in variables(kernel) if "a b" in name] == ["a b"]


def test_a_lock_that_a_thread_holds_is_not_waited_for_for_ever(kernel):
    run(kernel, "import threading, time\nlock = threading.Lock()\nclass Locked:\n  def __reduce__(self):\n    with lock: return int, ()\n"
        "def hold():\n  with lock: time.sleep(600)\nthreading.Thread(target=hold, daemon=True).start()\nwhile not lock.locked(): pass\n"
        "held = Locked()\nlast = 1")  # fmt: skip
    reply = look(kernel, seconds=8)
    assert reply["partial"] and "digest" not in reply["variables"]["held"] and reply["variables"]["last"]["digest"]
    assert run(kernel, "lock.locked()").value == "True"


def test_warnings_that_the_user_made_errors_do_not_stop_a_look(kernel):
    run(kernel, "import warnings; warnings.simplefilter('error'); before = list(warnings.filters)")
    assert "warnings" in variables(kernel)
    assert run(kernel, "warnings.filters == before").value == "True"


def test_a_look_leaves_no_trace(kernel):
    run(kernel, 
        "import signal, os, random\nheard = []\nbefore = signal.signal(signal.SIGCHLD, lambda *a: heard.append(a))\n"
        "42\nstate = random.getstate()"
    )
    run(kernel, "42")
    look(kernel)
    assert run(kernel, "_, heard, random.getstate() == state, len(os.listdir('/proc/self/fd'))").value.startswith("(42, [], True")
    fds = run(kernel, "len(os.listdir('/proc/self/fd'))").value
    look(kernel)
    assert run(kernel, "len(os.listdir('/proc/self/fd'))").value == fds
    run(kernel, "import subprocess; subprocess.run(['true'])")
    assert run(kernel, "len(heard)").value == "1"


# --- processes


def watched(kernel, code):
    look(kernel, watch="begin")
    run(kernel, code)
    return look(kernel, watch="end")["processes"]


def test_processes_are_told_with_their_words_and_whether_they_run(kernel):
    processes = watched(
        kernel,
        "import subprocess, os\nsubprocess.run(['true', 'ä b'])\np = subprocess.Popen('sleep 600; true', shell=True)\n"
        "os.system('exit 3')\nos.waitpid(os.posix_spawn('/bin/true', ['true', 'spawned'], {}), 0)",
    )
    assert processes[:4] == [
        {"argv": ["true", "ä b"], "running": False},
        {"argv": ["/bin/sh", "-c", "sleep 600; true"], "running": True},
        {"argv": ["/bin/sh", "-c", "exit 3"], "running": False},
        {"argv": ["true", "spawned"], "running": False},
    ]
    assert processes[4:] == [{"argv": ["sleep", "600"], "running": True}]
    run(kernel, "subprocess.run(['pkill', '-P', str(p.pid)]); p.wait()")


def test_what_left_its_family_is_told_too(parent):
    kernel = parent.spawn(env={"HUSK_KERNEL_ID": "of-this-test"})
    code = "import subprocess\nsubprocess.run('setsid sleep 601 >/dev/null 2>&1 &', shell=True)"
    assert {"argv": ["sleep", "601"], "running": True} in eventually_watched(kernel, code)
    run(kernel, "import os, signal\nfor pid in os.listdir('/proc'):\n  try:\n"
               "    if pid.isdigit() and open('/proc/%s/cmdline' % pid).read() == 'sleep\\0' + '601\\0': os.kill(int(pid), 9)\n"
               "  except OSError: pass")  # fmt: skip


def eventually_watched(kernel, code):
    """The shell has gone before what it put in the background is there."""
    return watched(kernel, code + "\nimport time; time.sleep(0.5)")


def test_nothing_is_noted_unless_asked_for(kernel):
    run(kernel, "import subprocess; subprocess.run(['true'])")
    assert watched(kernel, "1") == []
    run(kernel, "subprocess.run(['true'])")
    assert look(kernel, watch="end")["processes"] == []


def test_a_child_that_the_user_forked_is_told_without_words(kernel):
    processes = watched(kernel, "import os\npid = os.fork()\nif pid == 0:\n  import time; time.sleep(600)")
    assert processes == [{"argv": [], "running": True}]
    pid = int(run(kernel, "pid").value)
    run(kernel, "os.kill(pid, 9); os.waitpid(pid, 0)")
    wait_until(lambda: not process_exists(pid), "the child is gone")
