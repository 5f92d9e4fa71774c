"""What is not in a process's memory, or not in its own alone: a copy has its own of it, as it was when it was copied."""

import time

import pytest

from copies import CopyingParent


@pytest.fixture(scope="module")
def parent():
    parent = CopyingParent()
    yield parent
    parent.close()


@pytest.fixture
def kernel(parent):
    return parent.spawn()


@pytest.mark.parametrize(
    "before, spoil, seen, expected",
    [
        pytest.param(
            "import tempfile; f = tempfile.TemporaryFile(); f.write(b'abc'); f.seek(1)",
            "f.write(b'XYZ'); f.flush()",
            "(f.read(), f.write(b'd'), f.seek(0), f.read())",
            (b"bc", 1, 0, b"abcd"),
            id="a file without a name",
        ),
        pytest.param(
            "import os; f = open('d', 'w+'); f.write('abc'); f.flush(); os.remove('d'); g = os.open('/proc/self/fd/%d' % f.fileno(), 0)",
            "os.pwrite(f.fileno(), b'X', 0)",
            "os.pread(g, 9, 0), os.pwrite(f.fileno(), b'Y', 0), os.pread(g, 9, 0)",
            (b"abc", 1, b"Ybc"),
            id="a deleted file that is open twice",
        ),
        pytest.param(
            "import mmap; m = mmap.mmap(-1, 4096); m[:3] = b'abc'", "m[:3] = b'XYZ'", "m[:3]", b"abc", id="shared memory"
        ),
        pytest.param(
            "import multiprocessing; v = multiprocessing.Value('i', 5)",
            "v.value = 6",
            "[v.value, v.get_lock().acquire(timeout=1)]",
            [5, True],
            id="a value shared with workers, and its lock",
        ),
        pytest.param(
            "import os; a = os.open('s', os.O_RDWR | os.O_CREAT | os.O_TRUNC); b = os.dup(a); os.write(a, b'ab')",
            "os.lseek(a, 9, 0)",
            "os.lseek(b, 1, os.SEEK_CUR), os.lseek(a, 0, os.SEEK_CUR)",
            (3, 3),
            id="an offset that two descriptors share",
        ),
        pytest.param(
            "import os; e = os.eventfd(3) if hasattr(os, 'eventfd') else 0",
            "e and os.eventfd_read(e)",
            "os.eventfd_read(e) if e else 3",
            3,
            id="a counter of events",
        ),
        pytest.param(
            "import asyncio, threading; loop = asyncio.new_event_loop(); loop.run_until_complete(asyncio.sleep(0))",
            "loop.close()",
            "(lambda got: (lambda t: (t.start(), t.join(20), got)[2])(threading.Thread("
            "target=lambda: got.append(loop.run_until_complete(asyncio.sleep(0.01, 'woken'))))))([])",
            ["woken"],
            id="an event loop of the user's",
        ),
        pytest.param(
            "import signal; signal.signal(signal.SIGALRM, print); signal.setitimer(signal.ITIMER_REAL, 5000, 7)",
            "signal.setitimer(signal.ITIMER_REAL, 0)",
            "(lambda left, every: (0 < left <= 5000, every))(*signal.getitimer(signal.ITIMER_REAL))",
            (True, 7.0),
            id="an alarm",
        ),
        pytest.param(
            "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (321, 654))",
            "resource.setrlimit(resource.RLIMIT_NOFILE, (320, 654))",
            "resource.getrlimit(resource.RLIMIT_NOFILE)",
            (321, 654),
            id="limits",
        ),
        pytest.param(
            "import fcntl, os; f = open('l', 'w'); os.remove('l'); fcntl.flock(f, fcntl.LOCK_EX)",
            "fcntl.flock(f, fcntl.LOCK_UN)",
            "[line.split()[2] for line in open('/proc/self/fdinfo/%d' % f.fileno()) if line.startswith('lock')]",
            ["FLOCK"],
            id="a lock",
        ),
        pytest.param(
            "import os, tempfile; d = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d)",
            "os.chdir('/')",
            "os.readlink('/proc/self/cwd')[-9:]",
            "(deleted)",
            id="a working directory that was removed",
        ),
        pytest.param(
            "import subprocess; p = subprocess.Popen('echo out; echo err >&2', shell=True, stdout=-1, stderr=-1); p.wait()",
            "p.communicate()",
            "p.stdout.read(), p.stderr.read(), p.stdout.read()",
            (b"out\n", b"err\n", b""),
            id="what a program that has ended left in its pipes",
        ),
        pytest.param(
            "import os; r, w = os.pipe(); os.write(w, b'ab')",
            "os.read(r, 9)",
            "os.write(w, b'c'), os.read(r, 9)",
            (1, b"abc"),
            id="a pipe with both ends",
        ),
        pytest.param(
            "import os; r, w = os.pipe(); os.close(r)",
            "os.close(w)",
            "try: os.write(w, b'x')\nexcept OSError as e: said = type(e).__name__\nsaid",
            "BrokenPipeError",
            id="a pipe that nobody reads",
        ),
        pytest.param(
            "import io, sys; plain = sys.stdout; sys.stdout = own = io.StringIO(); print('a')",
            "sys.stdout = plain",
            "print('b'); (own.getvalue(), sys.stdout is own)",
            ("a\nb\n", True),
            id="what takes the place of standard output",
        ),
        pytest.param(
            "import os; f = open('h', 'w+'); said = []\n"
            "def leave():\n    said.append('closed'); f.close()\n    said.append('well')\n"
            "os.register_at_fork(after_in_child=leave)",
            "f.close()",
            "said, f.closed, sorted(one for one in os.listdir('/proc/self/fd') if os.path.exists('h') and "
            "os.path.exists('/proc/self/fd/' + one) and os.path.samefile('/proc/self/fd/' + one, 'h'))",
            (["closed", "well"], True, []),
            id="a file that is closed by whoever finds itself copied",
        ),
        pytest.param("%cd -q /usr\n%cd -q /tmp", "%cd -q /", "[str(one) for one in _dh[-2:]]", ["/usr", "/tmp"], id="where it has been"),
    ],
)
def test_a_copy_has_its_own(parent, kernel, tmp_path, before, spoil, seen, expected):
    kernel.run("import os; os.chdir(%r)" % str(tmp_path))
    assert kernel.run(before).status == "ok"
    snapshot, reply = parent.snapshot(kernel)
    assert snapshot and not reply["hazards"], reply
    kernel.run(spoil)
    first, second = parent.revive(snapshot), parent.revive(snapshot, fork=False)
    assert [eval(copy.run(seen).value) for copy in (first, second)] == [expected, expected]
    parent.drop(snapshot)


def test_a_mapped_file_is_mapped_anew_where_the_copy_finds_it(parent, kernel, tmp_path):
    """In another sandbox that is another file."""
    path = tmp_path / "mapped"
    path.write_bytes(b"old")
    kernel.run("import mmap; f = open(%r, 'rb'); m = mmap.mmap(f.fileno(), 3, prot=mmap.PROT_READ)" % str(path))
    snapshot, reply = parent.snapshot(kernel)
    assert not reply["hazards"]
    (tmp_path / "other").write_bytes(b"its")
    (tmp_path / "other").rename(path)
    assert parent.revive(snapshot).run("m[:]").value == "b'its'"
    assert kernel.run("m[:]").value == "b'old'"
    parent.drop(snapshot)


def test_a_mapping_that_is_written_to_is_no_hazard_where_files_are_the_copys_own(parent, kernel):
    kernel.run("import mmap; f = open('/var/tmp/husk-mapped', 'w+b'); f.truncate(10); m = mmap.mmap(f.fileno(), 10)")
    kernel.run("import os")
    shared, refused = parent.snapshot(kernel)
    own, granted = parent.snapshot(kernel, files=True)
    kernel.run("os.remove('/var/tmp/husk-mapped')")
    assert shared is None and [one["kind"] for one in refused["hazards"]] == ["mapping"]
    assert own and not granted["hazards"]
    parent.drop(own)


def test_a_database_can_be_written_to_although_the_copy_has_another_file(parent, kernel, tmp_path):
    """SQLite takes a file whose inode is another for one that was moved away."""
    kernel.run("import os, shutil, sqlite3; os.chdir(%r)" % str(tmp_path))
    kernel.run("shutil.rmtree('sub', True); os.mkdir('sub'); db = sqlite3.connect('sub/a'); other = sqlite3.connect('b')")
    kernel.run("db.execute('create table t (n)'); db.commit(); db.execute('attach \\'c\\' as more')")
    kernel.run("other.execute('create table t (n)'); other.execute('insert into t values (1)')")
    snapshot, reply = parent.snapshot(kernel)
    assert snapshot and not reply["hazards"], reply
    kernel.run("other.commit()")
    for name in ("sub/a", "c"):
        (tmp_path / name).rename(tmp_path / "away")
        (tmp_path / name).write_bytes((tmp_path / "away").read_bytes())
    copy = parent.revive(snapshot)
    written = "db.execute('insert into t values (5)').rowcount, db.commit(), db.execute('select n from t').fetchall()"
    assert copy.run(written).value == "(1, None, [(5,)])"
    assert copy.run("db.execute('create table more.t (n)') and db.commit()").status == "ok"
    assert copy.run("sqlite3.connect('sub/a').execute('select n from t').fetchall()").value == "[(5,)]"
    parent.drop(snapshot)


def test_a_write_to_a_mapped_file_shows_in_its_time_after_each_copy(parent, kernel, tmp_path):
    """By which it is seen that the file must be taken back."""
    path = tmp_path / "mapped"
    kernel.run("import mmap; f = open(%r, 'w+b'); f.truncate(9); m = mmap.mmap(f.fileno(), 9); m[0] = 65" % str(path))
    snapshot, reply = parent.snapshot(kernel, files=True, proceed=True)
    assert snapshot, reply
    before = path.stat().st_mtime_ns
    time.sleep(0.05)
    kernel.run("m[0] = 66")
    assert path.stat().st_mtime_ns > before
    parent.drop(snapshot)


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import subprocess\np = subprocess.Popen(['sleep', '0.3'], stdout=-1)\ndel p", id="a program nobody waits for"),
        pytest.param("%%bash\ntrue", id="the thread of scripts"),
        pytest.param(
            "from multiprocessing import shared_memory\ns = shared_memory.SharedMemory(create=True, size=9)\ns.close(); s.unlink()",
            id="multiprocessing's own process",
        ),
    ],
)
def test_what_libraries_keep_for_themselves_is_no_hazard(parent, kernel, code):
    assert kernel.run(code).status == "ok"
    kernel.run("import time; time.sleep(0.6)")
    snapshot, reply = parent.snapshot(kernel)
    assert snapshot and not reply["hazards"], reply
    for one in (parent.revive(snapshot), kernel):
        assert one.run(code).status == "ok"
        assert one.run("%%bash\necho scripted").stdout == "scripted\n"
    parent.drop(snapshot)


def test_what_keeps_a_kernel_from_parking_is_said(parent, kernel):
    kernel.run("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))")
    reply = kernel.ask("husk_park_request", {"seconds": 5, "snapshot_id": "x"})
    assert (reply["status"], reply["reason"]) == ("failed", "Too many open files")
    assert kernel.run("1").value == "1"


# Bash

LOAD = "from husk_guest import bash; bash.load(get_ipython())"
KNOW = """\
%%husk_bash
cd /usr; word='two
lines'; list=(1 '2 3'); declare -A by=([key]=value); readonly fixed=5; export OUT=7; umask 027
f() { echo "f $1"; }; export -f f; shopt -s expand_aliases; alias hey='echo hey'; set -- a 'b c'; set -o pipefail
"""
TELL = """\
%%husk_bash
echo "$PWD $word ${list[1]} ${by[key]} $fixed $# $2"; hey; bash -c 'f $OUT'; umask; shopt -o pipefail; true
"""
TOLD = "/usr two\nlines 2 3 value 5 2 b c\nhey\nf 7\n0027\npipefail       \ton\n"


def test_the_shell_of_a_copy_knows_what_the_originals_did(parent, kernel):
    kernel.run(LOAD)
    kernel.run(KNOW)
    fork = parent.fork(kernel)
    kernel.run("%%husk_bash\ncd /; word=other; unset -f f; umask 0")
    assert fork.run(TELL).stdout == TOLD
    again = parent.fork(parent.fork(fork))  # also of a copy that has not used its own yet
    assert again.run(TELL).stdout == TOLD
    assert kernel.run("%%husk_bash\necho $PWD $word").stdout == "/ other\n"


def test_what_python_changed_after_the_copy_reaches_its_shell(parent, kernel):
    kernel.run("import os; os.environ['A'] = os.environ['B'] = 'old'")
    kernel.run(LOAD)
    kernel.run("%%husk_bash\nexport B=of-the-shell")
    fork = parent.fork(kernel)
    fork.run("os.environ['A'] = 'new'; os.chdir('/usr')")
    assert fork.run("%%husk_bash\necho $A $B $PWD").stdout == "new of-the-shell /usr\n"


def test_telling_what_it_knows_does_a_shell_no_harm(parent, kernel):
    kernel.run(LOAD)
    kernel.run("%%husk_bash\nset -eux; trap 'echo trapped' ERR; word=kept")
    before = kernel.run("%%husk_bash\necho $word")
    parent.drop(parent.snapshot(kernel)[0])
    after = kernel.run("%%husk_bash\necho $word")
    assert (after.stdout, after.stderr) == (before.stdout, before.stderr) == ("kept\n", "++ echo kept\n")


def test_jobs_of_the_shell_are_hazards(parent, kernel):
    kernel.run(LOAD)
    kernel.run("%%husk_bash\nsleep 30 &")
    snapshot, reply = parent.snapshot(kernel)
    assert snapshot is None
    assert [(one["kind"], one["name"].split()[0]) for one in reply["hazards"]] == [("process", "sleep")]
    kernel.run("%%husk_bash\nkill %1; wait; exit 3")
    assert parent.fork(kernel).run("%%husk_bash\necho another").stdout == "another\n"
