"""Who owned every process of a family, with every capability there and no filter, would see what its sandboxes see."""

import json
import os
import socket
import subprocess
import sys

import pytest

from harness import as_user, python_for
from test_takeover import ATTACKS, quiet  # noqa: F401
from walls import needed

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


def test_what_the_search_looks_for_is_there_outside(quiet, server):  # noqa: F811
    assert os.path.exists(quiet.secret) and os.path.getsize(quiet.covered) > 0
    socket.create_connection(server.getsockname()).close()
