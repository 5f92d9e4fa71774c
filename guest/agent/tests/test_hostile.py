"""Clients that send nonsense, and commands that turn on the agent. After each of them it still answers."""

import os
import random
import socket
import struct

import pytest
from client import Connection, Problem, collect, decode, encode, frame
from places import descendants_of, eventually


def send_raw(place, data, half_close=True):
    """What comes back for these bytes."""
    with Connection(place.path) as connection:
        try:
            connection.socket.sendall(data)
            if half_close:
                connection.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        got = b""
        try:
            while part := connection.socket.recv(65536):
                got += part
        except ConnectionResetError:
            pass
        return got


@pytest.mark.parametrize(
    "payload",
    [b"", b"op=hello", b"op\0", b"=x\0", b"OP=hello\0", b"op=hello\0\0", b"\0", b"op=nothing\0", b"op=\0", b"o p=x\0", b"\xff=\0"],
)
def test_malformed_requests_are_a_problem_of_protocol(host, payload):
    got = send_raw(host, frame("Q", payload))
    assert got[:1] == b"P" and decode(got[5:])["code"] == "protocol"


@pytest.mark.parametrize("kind", ["A", "I", "Z", "\0", "P", "X"])
def test_the_first_frame_is_a_request(host, kind):
    got = send_raw(host, frame(kind, encode({"op": "hello"})))
    assert got[:1] == b"P" and decode(got[5:])["code"] == "protocol"


@pytest.mark.parametrize("length", [1048577, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_a_frame_that_is_too_long_closes_the_connection(host, length):
    assert send_raw(host, b"Q" + struct.pack(">I", length) + b"op=hello\0", half_close=False) == b""


def test_a_request_of_the_largest_size_is_taken(host):
    head = encode({"op": "hello"})
    payload = head + b"x=" + b"y" * (1048576 - len(head) - 3) + b"\0"
    assert send_raw(host, frame("Q", payload))[:1] == b"A"
    assert send_raw(host, frame("Q", payload + b"z"))[:1] != b"A"


def test_a_truncated_request_is_forgotten(host):
    whole = frame("Q", encode({"op": "run", "arg": ["touch", host.inside + "/never"]}))
    for cut in range(len(whole)):
        assert send_raw(host, whole[:cut]) == b""
    assert host.list(host.inside) == {}


def test_a_request_in_single_bytes_is_taken(host):
    with Connection(host.path) as connection:
        for byte in frame("Q", encode({"op": "hello"})):
            connection.socket.sendall(bytes([byte]))
        assert connection.answer()["version"] == "1"


@pytest.mark.parametrize("bad", [frame("I", b"x" * 65537), b"I\xff\xff\xff\xff", frame("Q", b""), frame("D", b"x"), b"\0" * 9,
                                 frame("S", b"signal=99\0"), frame("S", b"signal"), frame("W", b"rows=0\0cols=1\0")])  # fmt: skip
def test_nonsense_to_a_running_command_ends_it_with_a_problem(host, bad):
    with host.start("sleep", "1000", stdin=1) as connection:
        connection.answer()
        connection.socket.sendall(bad)
        with pytest.raises(Problem) as problem:
            list(connection.frames())
        assert problem.value.code == "protocol"
    eventually(lambda: descendants_of(host.process.pid) == [])


@pytest.mark.parametrize("op", ["write", "unpack"])
@pytest.mark.parametrize("bad", [frame("I", b"x"), b"D\xff\xff\xff\xff", frame("D", b"x") + b"\0"])
def test_nonsense_instead_of_data_is_a_problem_of_protocol(host, op, bad):
    path = host.inside + ("/half" if op == "write" else "")
    with host.open(op, path=path) as connection:
        connection.socket.sendall(bad)
        with pytest.raises(Problem) as problem:
            connection.answer()
    assert problem.value.code == "protocol" and host.list(host.inside) == {}


def test_many_silent_clients_do_not_keep_others_out(host):
    silent = [Connection(host.path) for _ in range(100)]
    for connection in silent[:50]:
        connection.socket.sendall(b"Q\0\0")
    assert host.ask("hello")["version"] == "1"
    for connection in silent:
        connection.close()


OPERATIONS = "hello run attach commands kill forget read write stat list mkdir remove move pack unpack forward usage".split()
KEYS = "op arg env cwd stdin rows cols id detach timeout_ms log_limit path offset limit mode append follow parents from to port signal".split()


def random_request(random):
    """Half sense, half nonsense; never a path outside of the nowhere it names, never a real program."""
    values = [b"0", b"1", b"-1", b"99999999999999999999", b"/nowhere/x", b"", b"nothing", random.randbytes(8).replace(b"\0", b"")]
    fields = encode({"op": random.choice(OPERATIONS)}) if random.random() < 0.8 else b""
    for _ in range(random.randrange(6)):
        fields += random.choice(KEYS[1:]).encode() + b"=" + random.choice(values) + b"\0"
    data = bytearray(frame("Q", fields))
    for _ in range(random.choice([0, 0, 1, 3])):
        data[random.randrange(len(data))] = random.randrange(256)
    for _ in range(random.randrange(3)):
        data += frame(random.choice("QIZSWDX"), random.randbytes(random.randrange(40)))
    return bytes(data if random.random() < 0.7 else data[: random.randrange(len(data))])


def test_thousands_of_random_conversations_leave_it_unharmed(make):
    place = make("host", serve=["--env", "PATH=/nowhere"])
    seeded = random.Random(20240607)
    for _ in range(3000):
        send_raw(place, random_request(seeded))
    for _ in range(500):
        send_raw(place, seeded.randbytes(seeded.randrange(1, 200)))
    assert place.ask("hello")["version"] == "1"
    eventually(lambda: descendants_of(place.process.pid) == [])
    eventually(lambda: len(os.listdir(f"/proc/{place.process.pid}/fd")) < 20)
    assert place.process.poll() is None


def test_a_command_cannot_kill_or_stop_the_agent(walled):
    walled.shell("kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1; kill -HUP 1; kill -9 -1")
    assert walled.ask("hello")["pid"] == "1"
    assert walled.run("echo", "alive").out == b"alive\n"


def test_a_queued_signal_cannot_pretend_to_come_from_outside(walled):
    forge = """
import ctypes, os, signal, struct
number = 129 if os.uname().machine == 'x86_64' else 138
queued = struct.pack('iiiiii', signal.SIGTERM, 0, -1, 0, 0, 0).ljust(128, b'\\0')
print(ctypes.CDLL(None).syscall(ctypes.c_long(number), 1, signal.SIGTERM, ctypes.c_char_p(queued)))
"""
    assert walled.run("python3", "-c", forge).out == b"0\n"
    assert walled.run("echo", "alive").out == b"alive\n"


def test_a_signal_to_everybody_reaches_commands_and_nobody_else(walled):
    with walled.start("/bin/sh", "-c", "trap 'echo heard; exit 4' TERM; echo up; while :; do sleep 0.05; done") as connection:
        connection.answer()
        assert connection.receive() == ("O", b"up\n")
        walled.shell("kill -TERM -1")
        ended = collect(connection)
    assert ended.out == b"heard\n" and ended.code == 4


def test_commands_whose_handler_was_killed_are_known_to_be_over(walled):
    with walled.start("sleep", "1000", id="victim0") as victim:
        victim.answer()
        walled.shell("kill -9 -1")
        while (got := victim.receive()) is not None:
            assert got[0] in "X"
    known = eventually(lambda: (c := walled.command("victim0")) and c["state"] == "ended" and c)
    assert known["signal"] == "9"


def test_a_command_that_stops_everybody_is_still_looked_after(walled):
    with walled.start("sleep", "1000", id="other0") as other:
        other.answer()
        with walled.start("/bin/sh", "-c", "kill -STOP -1; echo did; sleep 1000") as connection:
            id = connection.answer()["id"]
            assert connection.receive() == ("O", b"did\n")
            look = f"grep State /proc/{walled.command('other0')['pid']}/status"
            eventually(lambda: b"stopped" in walled.shell(look).out)  # the attack works on commands
            walled.ask("kill", id=id, signal=9)
            assert collect(connection).reason == "killed"
        walled.ask("kill", id="other0", signal=9)
        assert collect(other).reason == "killed"


def test_every_kill_and_every_timeout_is_told(walled):
    """The end may come at any moment of the killing; it must never be missed."""
    for _ in range(100):
        with walled.start("/bin/sh", "-c", "sleep 1000 & sleep 1000") as connection:
            id = connection.answer()["id"]
            walled.ask("kill", id=id, signal=9)
            assert collect(connection).reason == "killed"
    for i in range(60):
        assert walled.shell("sleep 1000 & sleep 1000", timeout_ms=1 + i % 7).reason == "timeout"
    eventually(lambda: walled.ask("usage")["processes"] == "1")
