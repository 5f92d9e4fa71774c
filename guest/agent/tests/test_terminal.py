"""Commands on a terminal."""

from client import collect


def until(connection, text):
    got = b""
    while text not in got:
        frame = connection.receive()
        assert frame is not None and frame[0] == "O", (frame, got)
        got += frame[1]
    return got


def test_it_is_a_terminal_of_the_size_asked_for(place):
    ended = place.shell("tty; stty size; echo err >&2; exit 3", rows=33, cols=101)
    assert b"/dev/pts/" in ended.out or b"/dev/" in ended.out
    assert b"33 101" in ended.out and b"err" in ended.out and ended.err == b"" and ended.code == 3


def test_it_can_be_resized_and_the_command_is_told(place):
    script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done"
    with place.start("/bin/sh", "-c", script, rows=10, cols=20) as connection:
        connection.answer()
        until(connection, b"ready")
        connection.send("W", {"rows": 50, "cols": 132})
        assert b"50 132" in until(connection, b"132")
        assert collect(connection).code == 0


def test_control_c_interrupts_and_input_is_echoed(place):
    with place.start("/bin/sh", "-c", "trap 'echo stopped; exit 5' INT; cat", rows=10, cols=80) as connection:
        connection.answer()
        connection.send("I", b"hello\n")
        assert until(connection, b"hello\r\nhello")
        connection.send("I", b"\x03")
        ended = collect(connection)
    assert b"stopped" in ended.out and ended.code == 5


def test_the_end_of_input_ends_a_reader(place):
    with place.start("cat", rows=10, cols=80) as connection:
        connection.answer()
        connection.send("I", b"line\n")
        until(connection, b"line\r\nline")
        connection.send("Z")
        assert collect(connection).code == 0


def test_everything_printed_before_the_end_arrives(place):
    ended = place.shell("stty -onlcr; seq 1 20000", rows=10, cols=80)
    assert ended.out == b"".join(b"%d\n" % i for i in range(1, 20001))
