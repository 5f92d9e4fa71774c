"""Forwarding into the sandbox, and the bridge out of it."""

import re
import socket
import threading

import pytest
from client import Problem, frame
from places import eventually

ECHO = """
import socket, sys
family = socket.AF_INET6 if sys.argv[1] == '6' else socket.AF_INET
server = socket.socket(family); server.bind(('::1' if sys.argv[1] == '6' else '127.0.0.1', 0)); server.listen()
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    while part := client.recv(65536): client.sendall(part)
    client.sendall(b'<end>'); client.close()
"""


@pytest.mark.parametrize("family", ["4", "6"])
def test_a_port_inside_is_reached_and_half_closing_is_passed_on(place, family):
    with place.start("python3", "-c", ECHO, family) as server:
        server.answer()
        kind, port = server.receive()
        assert kind == "O", port
        for size in (0, 10, 1_000_000):
            with place.open("forward", port=int(port)) as connection:
                connection.answer()
                data = b"x" * size
                sender = threading.Thread(target=send_all, args=(connection, data))
                sender.start()
                got = b"".join(payload for kind, payload in connection.frames() if kind == "D")
                sender.join()
            assert got == data + b"<end>"


def send_all(connection, data):
    for at in range(0, len(data), 65536):
        connection.send("D", data[at : at + 65536])
    connection.send("Z")


COUNTER = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], end="", flush=True)
while True:
    client, _ = server.accept()
    count = 0
    while data := client.recv(65536):
        count += len(data)
    client.sendall(b"%d" % count)
    client.close()
"""


def test_what_came_all_at_once_is_passed_on_to_its_end_though_nothing_comes_back(place):
    with place.start("python3", "-c", COUNTER) as server:
        server.answer()
        kind, port = server.receive()
        assert kind == "O", port
        for size in range(60_000, 200_000, 20_000):
            with place.open("forward", port=int(port), timeout=10) as connection:
                connection.answer()
                frames = [frame("D", b"x" * min(16384, size - at)) for at in range(0, size, 16384)]
                connection.socket.sendall(b"".join(frames) + frame("Z"))
                got = b"".join(payload for kind, payload in connection.frames() if kind == "D")
            assert got == b"%d" % size


def test_a_port_where_nobody_listens_is_refused(place):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(Problem) as problem:
            place.ask("forward", port=unused.getsockname()[1])
    assert problem.value.code == "refused"
    for port in (0, 65536, "x"):
        with pytest.raises(Problem) as problem:
            place.ask("forward", port=port)
        assert problem.value.code == "protocol"


class Proxy:
    """Stands where the proxy would be: says what it was told first, then echoes in capitals."""

    def __init__(self, folder):
        self.prefaces = []
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(folder / "proxy.sock"))
        (folder / "proxy.sock").chmod(0o666)
        self.server.listen(512)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client, client.makefile("rb") as stream:
            self.prefaces.append(stream.readline().decode())
            client.sendall(stream.read().upper())


@pytest.fixture(params=["identity", "nobody"])
def bridged(request, make):
    place = make(request.param, proxy=True, serve=["--http-port", "3128", "--socks-port", "1080"])
    place.ask("hello")
    proxy = Proxy(place.proxy)
    yield place, proxy
    proxy.server.close()


TALK = """
import socket, sys
c = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 20)
c.sendall(sys.argv[2].encode()); c.shutdown(socket.SHUT_WR)
got = b''
while part := c.recv(65536): got += part
print(got.decode())
"""


def test_the_bridge_passes_bytes_and_says_who_asks(bridged):
    place, proxy = bridged
    place.shell("ln -s $(command -v python3) '/tmp/my prog%'")
    ended = place.run("/tmp/my prog%", "-c", TALK, "3128", "hello")
    assert ended.out == b"HELLO\n", ended.err
    assert re.fullmatch(r"HUSK/1 pid=%s comm=my%%20prog%%25 via=http\n" % ended.answer["pid"], proxy.prefaces[0])
    assert place.run("python3", "-c", TALK, "1080", "x" * 100_000).out == b"X" * 100_000 + b"\n"
    assert proxy.prefaces[1].endswith("via=socks\n")
    hello = place.ask("hello")
    assert (hello["http_port"], hello["socks_port"]) == ("3128", "1080")


def test_a_thousand_connections_need_no_more_processes(bridged):
    place, proxy = bridged
    script = TALK.split("c = ")[0] + (
        "for i in range(1000):\n c = socket.create_connection(('127.0.0.1', 3128), 20); c.sendall(b'a')\n"
        " c.shutdown(socket.SHUT_WR); assert c.recv(9) == b'A', i; c.close()\nprint('all')"
    )
    with place.start("python3", "-c", script) as connection:
        connection.answer()
        worst = 0
        while (got := connection.receive())[0] not in "OE":
            worst = max(worst, int(place.ask("usage")["processes"]))
        assert got == ("O", b"all\n")
    assert worst <= 5 and len(proxy.prefaces) == 1000


def test_without_a_proxy_connections_are_closed(make):
    place = make("identity", proxy=True, serve=["--http-port", "3128"])
    script = "import socket\nc = socket.create_connection(('127.0.0.1', 3128), 20)\ntry: print(c.recv(9))\nexcept OSError as e: print(e)"
    assert place.run("python3", "-c", script).out in (b"b''\n", b"[Errno 104] Connection reset by peer\n")


def test_the_bridge_comes_back_when_somebody_kills_it(bridged):
    place, _ = bridged
    place.shell("kill -9 -1")
    eventually(lambda: place.run("python3", "-c", TALK, "3128", "again").out == b"AGAIN\n")


def test_the_directory_of_the_proxy_is_not_visible_inside(bridged):
    place, _ = bridged
    look = "ls /proc/self/fd/4/ 2>&1; ls -l /proc/*/fd 2>/dev/null | grep -i proxy; cat /proc/net/unix | grep proxy.sock"
    assert b"proxy" not in place.shell(look).out


def test_ports_without_a_proxy_directory_are_refused(make):
    place = make("host", serve=["--http-port", "3128"])
    assert place.process.wait(20) == 125 and "descriptor 4" in place.log()
