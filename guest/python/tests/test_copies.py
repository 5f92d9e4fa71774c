"""A kernel that is copied while it lives: what a copy has, what it does not share, and what the original notices."""

import contextlib
import glob
import os
import socket

import pytest

from copies import CopyingParent
from harness import ParentConnection, process_exists, wait_until


@pytest.fixture(scope="module")
def parent():
    parent = CopyingParent()
    yield parent
    parent.close()


@pytest.fixture
def kernel(parent):
    return parent.spawn()


def is_open_somewhere(path):
    for descriptor in glob.glob("/proc/[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(descriptor) == path:
                return True
    return False


def call(path):
    """A connection to a socket that is there soon."""
    caller = socket.socket(socket.AF_UNIX)
    wait_until(lambda: caller.connect_ex(path) == 0, "somebody listens at " + path)
    return caller


def test_a_fork_has_the_variables_and_goes_its_own_way(parent, kernel):
    kernel.run("import json; x = [1, 2]; def_ = json.dumps")
    fork = parent.fork(kernel)
    assert fork.run("x.append(3); x, def_(x)").value == "([1, 2, 3], '[1, 2, 3]')"
    assert kernel.run("x.append(9); x").value == "[1, 2, 9]"
    assert fork.pid != kernel.pid


def test_a_fork_counts_on_from_its_original_and_knows_its_history(parent, kernel):
    kernel.run("a = 1")
    kernel.run("a += 1")
    fork = parent.fork(kernel)
    assert fork.run("a").reply["execution_count"] == 3
    assert fork.run("In[1:4]").value == "['a = 1', 'a += 1', 'a']"
    assert kernel.run("a").reply["execution_count"] == 3


def test_forks_of_forks_of_forks_work(parent, kernel):
    kernel.run("trail = []")
    current = kernel
    for generation in range(70):
        current.run("trail.append(%d)" % generation)
        following = parent.fork(current)
        current.close()
        parent.kernels.remove(current)
        current = following
    assert current.run("len(trail)").value == "70"


def test_big_blocks_are_of_huge_pages_which_are_copied_faster(kernel):
    with open("/sys/kernel/mm/transparent_hugepage/enabled") as setting:
        assert "[never]" not in setting.read(), "this machine gives nobody huge pages: nothing can be seen here"
    kernel.run("block = bytearray(b'x') * 64_000_000")
    huge = kernel.run("sum(int(l.split()[1]) for l in open('/proc/self/smaps') if l.startswith('AnonHugePages'))").value
    assert int(huge) > 50_000


def test_a_kernel_whose_folder_has_a_long_path_is_copied_too(parent):
    def far(request):
        folder = os.path.join(parent.folder, "d" * 100, request["kernel_id"])
        os.makedirs(folder)
        return dict(request, directory=folder)

    request = far(parent.prepare())
    kernel = parent.adopt(request, parent.connection.ask(**request))
    kernel.run("x = 7")
    snapshot, _ = parent.snapshot(kernel)
    assert parent.revive(snapshot, far(parent.prepare())).run("x").value == "7"
    parent.drop(snapshot)


def test_one_snapshot_gives_many_kernels_and_keeps_what_it_was(parent, kernel):
    kernel.run("x = 0")
    snapshot, _ = parent.snapshot(kernel)
    kernel.run("x = 100")
    copies = [parent.revive(snapshot) for _ in range(3)]
    for number, copy in enumerate(copies):
        copy.run("x += %d" % number)
    assert [copy.run("x").value for copy in copies] == ["0", "1", "2"]
    parent.drop(snapshot)


def test_a_fork_outlives_its_original(parent, kernel):
    kernel.run("x = 'here'")
    fork = parent.fork(kernel)
    os.kill(kernel.pid, 9)
    assert kernel.exit_event()["signal"] == 9
    assert fork.run("x").value == "'here'"


def test_the_end_of_a_fork_is_told_with_its_code(parent, kernel):
    fork = parent.fork(kernel)
    fork.start("import os; os._exit(7)")
    assert fork.exit_event()["exit_code"] == 7
    assert kernel.run("1").value == "1"


def test_open_files_have_their_own_offsets(parent, kernel, tmp_path):
    path = tmp_path / "data.txt"
    path.write_text("abcdefghij")
    kernel.run("f = open(%r); f.read(2)" % str(path))
    kernel.run("g = open(%r, 'a'); g.write('!'); g.flush()" % str(path))
    fork = parent.fork(kernel)
    assert fork.run("f.seek(f.tell()); f.read(3)").value == "'cde'"
    assert kernel.run("f.seek(f.tell()); f.read(1)").value == "'c'"
    fork.run("g.write('?'); g.flush()")
    assert path.read_text() == "abcdefghij!?"


def test_the_first_file_opened_is_as_much_the_users_as_any_other(parent, kernel, tmp_path):
    kernel.client.stop_channels()  # whose descriptors would take its number
    kernel.client = kernel.connect()
    kernel.run("fs = [open(%r + str(n), 'w') for n in range(8)]" % str(tmp_path / "f"))
    assert parent.fork(kernel).run("[f.write('x') for f in fs]").value == str([1] * 8)


def test_random_numbers_names_and_keys_differ(parent, kernel):
    setup = "import random, tempfile, uuid, secrets, ssl, os, numpy; random.seed(1); numpy.random.seed(1)"
    assert kernel.run(setup + "; tempfile.gettempdir()").status == "ok"
    code = (
        "(random.random(), float(numpy.random.random()), next(tempfile._get_candidate_names()), str(uuid.uuid1()), str(uuid.uuid4()),"
        " secrets.token_hex(8), ssl.RAND_bytes(8).hex(), os.urandom(8).hex())"
    )
    forks = [parent.fork(kernel) for _ in range(2)]
    drawn = [eval(one.run(code).value) for one in [kernel, *forks]]
    for values in zip(*drawn):
        assert len(set(values)) == 3, values


def test_a_copy_that_is_held_looks_at_no_file_before_it_is_released(parent, kernel, tmp_path):
    place = tmp_path / "here"
    place.mkdir()
    kernel.run("import os; os.chdir(%r); file = open('kept', 'w+')" % str(place))
    snapshot, _ = parent.snapshot(kernel)
    held = parent.hold(snapshot)
    place.rename(tmp_path / "elsewhere")
    place.mkdir()
    (place / "kept").write_text("of later")
    assert parent.release(held).run("file.read()").value == "'of later'"
    parent.drop(snapshot)


def test_who_calls_a_copy_before_it_listens_leaves_nothing_behind(parent, kernel, tmp_path):
    snapshot, _ = parent.snapshot(kernel)
    held = parent.hold(snapshot)
    calls = [call(os.path.join(held.request["directory"], "k-%d" % port)) for port in range(1, 6)]
    copy = parent.release(held)
    parent.drop(snapshot)
    for one in calls:
        one.close()
    copy.run("import os; files = [open(%r, 'w+') for _ in range(20)]" % str(tmp_path / "file"))
    assert parent.fork(copy).run("[f.fileno() for f in files if f.read() != '']").value == "[]"


def test_a_copy_that_is_not_wanted_after_all_ends(parent, kernel):
    snapshot, _ = parent.snapshot(kernel)
    held = parent.hold(snapshot)
    assert "given it up" in parent.give_up(held)["error"]["message"]
    assert parent.revive(snapshot, held.request).run("1 + 1").value == "2"
    parent.drop(snapshot)


def test_a_copy_whose_holder_has_gone_ends(parent, kernel):
    snapshot, _ = parent.snapshot(kernel)
    holder = ParentConnection(parent.path)
    held = parent.hold(snapshot, holder)
    log = os.path.join(held.request["directory"], "log")
    wait_until(lambda: is_open_somewhere(log), "the copy is there")
    holder.close()
    wait_until(lambda: not is_open_somewhere(log), "the copy has ended")
    parent.drop(snapshot)


def test_nothing_is_released_that_is_not_held(parent):
    assert parent.connection.ask(op="release", kernel_id="none", go=True)["released"] is False


def test_a_revived_kernel_that_is_no_fork_keeps_its_random_state(parent, kernel):
    kernel.run("import random; random.seed(5)")
    snapshot, _ = parent.snapshot(kernel)
    drawn = kernel.run("random.random()").value
    assert parent.revive(snapshot, fork=False).run("random.random()").value == drawn
    parent.drop(snapshot)


def test_interrupts_threads_processes_and_output_work_in_a_copy(parent, kernel):
    fork = parent.fork(kernel)
    asked = fork.start("import time\nprint('on', flush=True)\ntime.sleep(60)")
    fork.wait_for_text("on")
    fork.interrupt()
    assert fork.finish(asked).error["ename"] == "KeyboardInterrupt"
    assert fork.run("import threading; t = []; x = threading.Thread(target=t.append, args=(1,)); x.start(); x.join(); t").value == "[1]"
    assert fork.run("!echo from a process").stdout == "from a process\n"
    assert fork.run("import os, signal; signal.raise_signal(signal.SIGCONT); os.getpid() > 1").value == "True"


@pytest.mark.parametrize(
    "code, kind, name",
    [
        ("import threading, time; threading.Thread(target=time.sleep, args=(30,), name='mine', daemon=True).start()", "thread", "mine"),
        ("import asyncio; asyncio.create_task(asyncio.sleep(30), name='later')", "task", "later"),
        ("import subprocess; p = subprocess.Popen(['sleep', '30'])", "process", "sleep"),
        ("import socket; s = socket.create_server(('127.0.0.1', 0))", "connection", "127.0.0.1:"),
        ("import tempfile; t = tempfile.TemporaryFile(); t.truncate(65 << 20)", "file", "deleted"),
        ("import mmap; f = open('m', 'w+b'); f.truncate(10); m = mmap.mmap(f.fileno(), 10)", "mapping", "/m"),
        ("import os; os.mkfifo('n'); f = os.open('n', os.O_RDWR)", "pipe", "descriptor"),
        ("import _thread, time\ndef nap(): time.sleep(30)\n_thread.start_new_thread(nap, ())", "thread", "nap of _thread"),
        (
            "import ctypes; c, t = ctypes.CDLL(None), ctypes.c_ulong(); c.pthread_create(ctypes.byref(t), None, c.pause, None)\n"
            "c.pthread_setname_np(t, b'pool-7')",
            "thread",
            "pool-7",
        ),
        ("import os; m, s = os.openpty()", "descriptor", "/dev/pts"),
        ("import socket; a, b = socket.socketpair(); a.send(b'x')", "connection", "descriptor"),
    ],
)
def test_what_a_copy_would_not_have_is_named_and_refused(parent, kernel, code, kind, name):
    kernel.run(code)
    snapshot, reply = parent.snapshot(kernel)
    assert snapshot is None and reply["status"] == "refused"
    assert any(one["kind"] == kind and name in one["name"] for one in reply["hazards"]), reply
    fork = parent.fork(kernel, proceed=True)
    assert fork.run("40 + 2").value == "42"
    assert kernel.run("40 + 2").value == "42"


def test_what_the_kernel_itself_has_is_no_hazard(parent, kernel):
    kernel.run("import asyncio; await asyncio.sleep(0)")
    kernel.run("import matplotlib, numpy; numpy.ones((300, 300)) @ numpy.ones((300, 300))")
    kernel.connect().stop_channels()
    snapshot, reply = parent.snapshot(kernel)
    assert reply == {"status": "ok", "hazards": []}
    parent.drop(snapshot)


def test_descriptors_do_not_grow_from_copy_to_copy(parent, kernel):
    count = "import os; len(os.listdir('/proc/self/fd'))"
    kernel.run("import asyncio; await asyncio.sleep(0)")
    first = parent.fork(kernel)
    second = parent.fork(first)
    before = int(second.run(count).value)
    current = second
    for _ in range(5):
        current = parent.fork(current)
    assert int(current.run(count).value) <= before + 2


def test_a_dropped_snapshot_leaves_no_process(parent, kernel):
    kernel.run("x = 1")
    snapshot, _ = parent.snapshot(kernel)
    pid = next(s["pid"] for s in parent.connection.ask(op="hello")["snapshots"] if s["snapshot_id"] == snapshot)
    assert process_exists(pid)
    parent.drop(snapshot)
    wait_until(lambda: not process_exists(pid), "the snapshot is gone")


def test_a_snapshot_outlives_its_kernel(parent, kernel):
    kernel.run("x = 'kept'")
    snapshot, _ = parent.snapshot(kernel)
    os.kill(kernel.pid, 9)
    kernel.exit_event()
    assert parent.revive(snapshot, fork=False).run("x").value == "'kept'"
    parent.drop(snapshot)


def test_parking_when_nobody_asks_for_a_copy_ends_in_time(kernel):
    assert kernel.ask("husk_park_request", {"seconds": 0.2, "snapshot_id": "x"})["status"] == "timeout"
    assert kernel.run("1").value == "1"


def test_signal_handlers_the_umask_and_the_directory_are_those_of_the_original(parent, kernel, tmp_path):
    kernel.run("import os, signal; got = []; signal.signal(signal.SIGUSR1, lambda *a: got.append(1)); os.umask(0o37)")
    kernel.run("os.chdir(%r); os.environ['MINE'] = 'yes'" % str(tmp_path))
    fork = parent.fork(kernel)
    seen = fork.run("os.kill(os.getpid(), signal.SIGUSR1); got, os.getcwd(), os.umask(0), os.environ['MINE']").value
    assert eval(seen) == ([1], str(tmp_path), 0o37, "yes")
