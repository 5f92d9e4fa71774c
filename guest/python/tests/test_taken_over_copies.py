"""Copies of a kernel whose code has changed what is copied, and porters that do not do as they are told.

What comes of such a copy must be where it was to be and without rights, or it is ended; and nobody else waits for it.
"""

import os
import signal
import subprocess

import pytest

from harness import process_exists, wait_until
from test_takeover import SECRET, family_members, inner_number, pytestmark, quiet  # noqa: F401


@pytest.fixture
def scene(quiet):  # noqa: F811
    quiet.arm(quiet.kernel)
    return quiet


def revive(scene, snapshot, walls):
    """What the warm parent answers."""
    request = scene.parent.prepare(housing=walls.housing())
    return scene.parent.connection.ask(**dict(request, op="revive", snapshot_id=snapshot, fork=True))


def refused(scene, walls):
    snapshot, reply = scene.parent.snapshot(scene.kernel)
    assert snapshot, reply
    answer = revive(scene, snapshot, walls)
    scene.parent.drop(snapshot)
    assert not answer["ok"]
    return answer["error"]["message"]


def forget(scene):
    scene.kernel.close()
    scene.parent.kernels.remove(scene.kernel)


def in_sandbox(walls):
    """Who lives there, beside the agent."""
    space, found = os.readlink("/proc/%d/ns/pid" % walls.pid), []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink("/proc/%s/ns/pid" % name) == space and process_exists(int(name)):
                found.append(int(name))
        except OSError:
            pass
    return set(found) - {walls.pid}


def test_a_copy_that_kept_its_rights_is_ended(scene):
    scene.run("leave_out_in_copies('capset'); 0")
    other = scene.build(scene.walls)
    assert "did not become what it was to be" in refused(scene, other)
    wait_until(lambda: not in_sandbox(other), "it has been ended")
    assert scene.run("6 * 7") == "42"


def test_a_copy_that_did_not_go_in_is_ended(scene):
    scene.run("leave_out_in_copies('setns'); 0")
    other = scene.build(scene.walls)
    assert "did not become what it was to be" in refused(scene, other)
    assert scene.run("6 * 7") == "42"


def test_nor_does_one_come_back_that_way_when_its_kernel_is_taken_back(scene):
    scene.run("leave_out_in_copies('capset'); 0")
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    os.kill(scene.kernel.pid, 9)
    scene.kernel.exit_event()
    forget(scene)
    assert not revive(scene, snapshot, scene.walls)["ok"]
    wait_until(lambda: not in_sandbox(scene.walls), "it has been ended")
    scene.parent.drop(snapshot)


def test_nobody_waits_for_a_copy_that_does_not_arrive(scene):
    scene.run("take_over_copies_after('setns'); 0")
    other, stranger = scene.build(scene.walls), scene.build()
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    request = scene.parent.prepare(housing=other.housing())
    asked = scene.parent.connection.send(**dict(request, op="revive", snapshot_id=snapshot, fork=True))
    scene.run("mover = awaited(); 0")
    assert scene.spawn(stranger).run("1 + 1").value == "2", "others are served meanwhile"
    # What it has in the meantime are rights in the sandbox that it was to go to, and no more.
    assert int(scene.run("mover.capabilities()")) != 0
    assert scene.run("names(mover.open('%s'), mover.call('mount', 'x', '/tmp', 'tmpfs', 0, 0), mover.write('/guarded', b'x'))" % scene.secret) == "['ENOENT', 'EPERM', 'EROFS']"
    assert SECRET not in scene.run("repr(mover.read('/shown/covered'))")
    answer = scene.parent.connection.answer(asked)
    assert not answer["ok"] and "did not come in time" in answer["error"]["message"]
    scene.parent.drop(snapshot)


def test_a_porter_that_says_its_kernel_has_ended_loses_it(scene):
    scene.run("porter = take_over(); lines = [n for n in range(64) if porter.call('fcntl', n, 1) >= 0]; 0")
    message = "b'e' + bytes(3) + (0).to_bytes(4, 'little') + (0).to_bytes(8, 'little')"
    scene.kernel.start("[porter.call('sendto', n, %s, 16, 0, 0, 0) for n in lines]; import time; time.sleep(100)" % message)
    assert scene.parent.connection.exit_event(scene.kernel.kernel_id)["exit_code"] == 0
    wait_until(lambda: not process_exists(scene.kernel.pid), "the kernel has been ended")
    forget(scene)


def test_words_that_nobody_understands_disturb_nobody(scene):
    scene.run("porter = take_over(); lines = [n for n in range(64) if porter.call('fcntl', n, 1) >= 0]; 0")
    scene.kernel.start("[porter.call('sendto', n, os.urandom(k), k, 0x40, 0, 0) for n in lines for k in (1, 15, 16, 17, 4096)]; 0")
    scene.kernel.exit_event()  # of whoever says what porters do not say
    forget(scene)
    assert scene.parent.connection.ask(op="hello")["ok"]
    stranger = scene.build()
    assert scene.spawn(stranger).run("1 + 1").value == "2"


def test_a_porter_that_takes_no_orders_keeps_nobody(scene):
    scene.run("porter = take_over(); 0")
    begun = [
        scene.parent.connection.send(op="snapshot", kernel_id=scene.kernel.kernel_id, snapshot_id="s%d" % n, directory=scene.kernel.directory)
        for n in range(40)
    ]
    assert scene.parent.connection.ask(op="hello")["ok"], "however many orders it has not taken"
    for n in range(40):
        scene.parent.connection.ask(op="drop", snapshot_id="s%d" % n)
    assert not any(scene.parent.connection.answer(asked)["ok"] for asked in begun)


@pytest.mark.parametrize("said", ["[]", "7", '"x"', "{", "\0", '{"error": {"a": 1}}', "x" * 60000], ids=lambda said: said[:10])
def test_reports_that_are_none_are_no_trouble(scene, said):
    scene.run("take_over_copies_after('setns'); 0")
    other = scene.build(scene.walls)
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    request = scene.parent.prepare(housing=other.housing())
    asked = scene.parent.connection.send(**dict(request, op="revive", snapshot_id=snapshot, fork=True))
    scene.run("mover = awaited(); 0")
    code = "[mover.call('fcntl', n, 4, 0o4000) for n in range(256)]; [mover.call('write', n, SAID, len(SAID)) for n in range(256)]; 0"
    scene.run(code.replace("SAID", repr(said.encode())))
    answer = scene.parent.connection.answer(asked)
    assert not answer["ok"] and scene.parent.connection.ask(op="hello")["ok"]
    scene.parent.drop(snapshot)


def test_a_report_without_bottom_ends_nobody_who_reads_it(scene):
    """It is read when the copy is given up, which nobody asked for at that moment."""
    scene.run("take_over_copies_after('setns'); 0")
    other, stranger = scene.build(scene.walls), scene.build()
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    request = scene.parent.prepare(housing=other.housing())
    asked = scene.parent.connection.send(**dict(request, op="revive", snapshot_id=snapshot, fork=True))
    scene.run("mover = awaited(); pipes = [n for n in range(256) if mover.call('fcntl', n, 1032) > 0]; 0")
    assert scene.run("60000 in [mover.call('write', n, b'[' * 60000, 60000) for n in pipes]") == "True"
    answer = scene.parent.connection.answer(asked)
    assert not answer["ok"] and "did not come in time" in answer["error"]["message"]
    assert scene.spawn(stranger).run("1 + 1").value == "2"
    scene.parent.drop(snapshot)


def held(scene, snapshot, walls):
    """A copy that is to go on when it is told to, as the daemon asks for all of them."""
    request = scene.parent.prepare(housing=walls.housing())
    return request, scene.parent.connection.send(**dict(request, op="revive", snapshot_id=snapshot, fork=True, held=True))


FILL = """
inside = mover.fork()
filled = 0
for number in [n for n in range(256) if inside.call('fcntl', n, 1032) > 0]:
    end = inside.open('/proc/self/fd/%d' % number, os.O_WRONLY | os.O_NONBLOCK)
    while end >= 0 and inside.call('write', end, bytes(4096), 4096) > 0:
        filled += 1
filled
"""


def test_nobody_waits_for_a_copy_that_does_not_let_itself_be_told(scene):
    """What it is told comes through a pipe, which whoever may write it can fill: a user's copies are that user."""
    scene.run("take_over_copies_after('setns'); 0")
    other, stranger = scene.build(scene.walls), scene.build()
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    request, asked = held(scene, snapshot, other)
    scene.run("mover = awaited(); 0")
    assert (int(scene.run(FILL)) > 0) == (scene.user is not None or os.getuid() != 0)
    assert scene.parent.connection.ask(op="release", kernel_id=request["kernel_id"], go=True)["released"]
    assert scene.spawn(stranger).run("1 + 1").value == "2"
    assert not scene.parent.connection.answer(asked)["ok"]
    scene.parent.drop(snapshot)


def test_a_porter_that_repeats_itself_loses_its_kernel(scene):
    scene.run("porter = take_over(); lines = [n for n in range(64) if porter.call('fcntl', n, 1) >= 0]; 0")
    message = "b'b' + bytes(15)"
    scene.kernel.start("[porter.call('sendto', n, %s, 16, 0, 0, 0) for n in lines]; import time; time.sleep(100)" % message)
    assert scene.parent.connection.exit_event(scene.kernel.kernel_id)["signal"] == 9
    wait_until(lambda: not process_exists(scene.kernel.pid), "the kernel has been ended")
    forget(scene)


# --- numbers of processes that are somebody else's by now


class Bystander:
    """A process of the host, with a child that got a number of our choice."""

    def __init__(self, number):
        for _ in range(100):
            with open("/proc/sys/kernel/ns_last_pid", "w") as last:
                last.write(str(number - 1))
                last.flush()
                self.process = subprocess.Popen(["sleep", "1000"])
            if self.process.pid == number:
                return
            self.close()  # somebody else started something at this moment

    def close(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def bystanders():
    made = []
    yield lambda number: made.append(Bystander(number)) or made[-1].process
    for one in made:
        one.close()


@pytest.mark.parametrize("quiet", ["root"], indirect=True)  # who alone chooses numbers, and ends everybody
def test_a_copy_that_is_gone_is_not_ended_in_the_person_of_another(scene, bystanders):
    scene.run("take_over_copies_after('setns'); 0")
    other = scene.build(scene.walls)
    snapshot, _ = scene.parent.snapshot(scene.kernel)
    _, asked = held(scene, snapshot, other)
    scene.run("mover = awaited(); 0")
    mover = [pid for pid in relatives(scene.walls.family) if os.readlink("/proc/%d/ns/mnt" % pid) == os.readlink("/proc/%d/ns/mnt" % other.pid)]
    os.kill(scene.parent.process.pid, signal.SIGSTOP)  # it is busy with others
    try:
        scene.run("[mover.call('sendto', n, b'b' + bytes(15), 16, 0x40, 0, 0) for n in range(256)]; 0")
        scene.kernel.start("mover.call('exit_group', 0)")
        wait_until(lambda: not os.path.exists("/proc/%d" % mover[0]), "it is gone")
        bystander = bystanders(mover[0])
        assert bystander.pid == mover[0]
    finally:
        os.kill(scene.parent.process.pid, signal.SIGCONT)
    assert not scene.parent.connection.answer(asked)["ok"]
    assert bystander.poll() is None
    scene.parent.drop(snapshot)


def relatives(family):
    return [pid for pid in family_members(family) if pid != family]
