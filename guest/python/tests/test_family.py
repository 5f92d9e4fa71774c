"""Who owned every process of a family, with every capability there and no filter, would see what its sandboxes see."""

import json
import os
import socket
import subprocess
import sys

import pytest

from harness import PATIENCE, as_user, python_for, wait_until
from test_takeover import ATTACKS, family_members, quiet  # noqa: F401
from walls import BUBBLEWRAP, needed

pytestmark = needed


def search(scene, port, seconds=0):
    """Starts to look for a way out."""
    python = sys.executable if scene.user is None else python_for(scene.user)
    attack = [os.path.join(ATTACKS, "relative.py"), scene.walls.family, scene.secret, scene.guarded, port, seconds]
    command = [*as_user(scene.user), python, *map(str, attack)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def server():
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


def unchanged(scene):
    return open(scene.guarded).read() == open(scene.inner).read() == "as it was"


def test_there_is_no_way_out_of_a_family_for_who_has_every_right_in_it(quiet, server):  # noqa: F811
    said = json.loads(search(quiet, server.getsockname()[1]).communicate()[0])
    assert said["reached"] == [] and len(said["processes"]) >= 4
    assert unchanged(quiet)


def test_nor_while_siblings_are_made(quiet, server):  # noqa: F811
    """Whatever stands in the family for a moment is looked at over and over."""
    running = search(quiet, server.getsockname()[1], 10)
    made = 0
    while running.poll() is None:
        made += 1
        try:
            quiet.build(quiet.walls).close()
        except AssertionError:
            pass  # it is in the way of its relatives, who then do not come to be
    said = json.loads(running.stdout.read())
    assert said["reached"] == [] and said["rounds"] > 1 and made > 5
    assert unchanged(quiet)


def test_what_builds_a_sandbox_cannot_be_looked_into(quiet):  # noqa: F811
    """Nor traced, nor joined before it is done: its memory belongs to nobody in the family."""
    with subprocess.Popen([*quiet.walls.launch(str(quiet.walls.family), "b"), "/usr/bin/sleep", "1000"]) as launcher:
        try:
            wait_until(lambda: builders(quiet.walls.family), "it has started")
            assert [os.stat("/proc/%d/mem" % pid).st_uid for pid in builders(quiet.walls.family)] == [0]
            assert quiet.user is None or os.stat("/proc/%d/mem" % launcher.pid).st_uid == quiet.user, "others belong to their user"
        finally:
            launcher.kill()
            for pid in builders(quiet.walls.family):
                os.kill(pid, 9)


def builders(family):
    """By the name that bubblewrap's program has on the stage."""
    return [pid for pid in family_members(family) if open("/proc/%d/comm" % pid).read() == "program\n"]


FIRST = """cd /workspace; touch f; unshare -U true && echo unshared >> out; unshare -m true && echo mounts >> out
chmod u+s f && echo lent >> out; echo done >> out"""


def test_what_a_sandbox_begins_with_has_a_filter_before_it_has_done_anything(quiet):  # noqa: F811
    """Until it has hidden itself, relatives can write its memory."""
    command = [*quiet.walls.launch(str(quiet.walls.family), "b"), *BUBBLEWRAP, "/bin/sh", "-c", FIRST]
    subprocess.run(command, timeout=PATIENCE)
    assert open(os.path.join(quiet.walls.workspace, "out")).read() == "done\n"


def test_what_the_search_looks_for_is_there_outside(quiet, server):  # noqa: F811
    assert os.path.exists(quiet.secret) and os.path.getsize(quiet.covered) > 0
    socket.create_connection(server.getsockname()).close()
