"""Commands that go on without a client: logs, attaching, listing, killing, forgetting."""

import pytest
from client import Problem, collect
from places import eventually


def detach(place, script, **fields):
    with place.open("run", arg=["/bin/sh", "-c", script], detach=1, **fields) as connection:
        answer = connection.answer()
        assert connection.receive() is None, "a detached command answers and closes"
        return answer["id"]


def ended(place, id):
    return eventually(lambda: (c := place.command(id)) and c["state"] == "ended" and c)


def test_it_goes_on_and_its_output_is_kept(place):
    id = detach(place, "echo one; echo two >&2; exit 9", id="kept1")
    assert id == "kept1"
    known = ended(place, id)
    assert (known["code"], known["reason"], known["detached"]) == ("9", "exited", "1")
    assert int(known["ended_ms"]) >= int(known["started_ms"]) > 1_600_000_000_000
    got = place.attach(id)
    assert (got.out, got.err, got.code) == (b"one\n", b"two\n", 9)
    assert place.attach(id, stream="stderr").out == b"" and place.attach(id, stream="stderr").err == b"two\n"
    logs = place.attach(id, logs=1)
    assert logs.out == b"one\n" and logs.end == {}


def test_attaching_replays_and_goes_on_live(place):
    id = detach(place, "echo early; read word; echo got $word; exit 2", stdin=1)
    eventually(lambda: place.attach(id, logs=1).out == b"early\n")
    with place.open("attach", id=id) as first, place.open("attach", id=id) as second:
        assert first.receive()[0] == second.receive()[0] == "A"
        first.send("I", b"hello\n")
        for connection in (first, second):
            got = collect(connection)
            assert got.out == b"early\ngot hello\n" and got.code == 2


def test_a_client_that_leaves_does_not_end_it(place):
    id = detach(place, "echo up; read word; exit 3", stdin=1)
    for _ in range(3):
        with place.open("attach", id=id) as connection:
            assert connection.receive()[0] == "A" and connection.receive() == ("O", b"up\n")
    assert place.command(id)["state"] == "running"
    with place.open("attach", id=id) as connection:
        connection.send("Z")
        assert collect(connection).code == 3


def test_the_newest_bytes_are_kept_and_the_loss_is_told(place):
    id = detach(place, "head -c 500000 /dev/zero; printf end", log_limit=1000)
    ended(place, id)
    got = place.attach(id)
    assert got.out == b"\0" * 997 + b"end"
    assert got.answer["dropped_stdout"] == got.end["dropped_stdout"] == str(500_003 - 1000)
    assert got.end["dropped_stderr"] == "0"


def test_nothing_is_kept_where_nothing_was_asked_for(place):
    id = detach(place, "echo x", log_limit=0)
    ended(place, id)
    assert place.attach(id).out == b""


def test_kill_ends_the_tree_and_is_told_as_such(place):
    id = detach(place, "trap '' TERM; (setsid sleep 1000 &); echo up; while :; do sleep 0.05; done")
    eventually(lambda: place.attach(id, logs=1).out == b"up\n")
    place.ask("kill", id=id)
    assert place.command(id)["state"] == "running", "it ignores SIGTERM"
    place.ask("kill", id=id, signal=9)
    known = ended(place, id)
    assert (known["signal"], known["reason"]) == ("9", "killed")
    with pytest.raises(Problem) as problem:
        place.ask("kill", id=id)
    assert problem.value.code == "not_found"


def test_kill_of_the_leader_alone_spares_the_rest(place):
    id = detach(place, "sleep 30 & echo $!; wait")
    pid = eventually(lambda: place.attach(id, logs=1).out.decode().strip())
    place.ask("kill", id=id, signal=15, tree=0)
    assert ended(place, id)["reason"] == "killed"
    assert place.run("kill", "-9", pid).code == 0, "the child was still there"


def test_only_the_newest_that_ended_are_remembered(host):
    detach(host, "true", id="oldest")
    ended(host, "oldest")
    for _ in range(64):
        host.run("true")
    eventually(lambda: host.command("oldest") is None)
    with pytest.raises(Problem) as problem:
        host.attach("oldest")
    assert problem.value.code == "not_found"


def test_a_running_command_is_not_forgotten(place):
    id = detach(place, "sleep 1000")
    with pytest.raises(Problem) as problem:
        place.ask("forget", id=id)
    assert problem.value.code == "running"
    place.ask("kill", id=id, signal=9)
    ended(place, id)
    eventually(lambda: forgets(place, id))


def forgets(place, id):
    place.ask("forget", id=id)
    return place.command(id) is None


def test_a_command_lists_its_arguments(place):
    place.run("printf", "", "a=b", id="words1")
    with place.open("commands") as connection:
        from client import pairs_of

        listed = [pairs_of(p) for k, p in connection.frames() if k == "A"]
    mine = next(pairs for pairs in listed if (b"id", b"words1") in pairs)
    assert [value for key, value in mine if key == b"arg"] == [b"printf", b"", b"a=b"]
