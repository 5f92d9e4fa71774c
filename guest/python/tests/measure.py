"""Measures, does not test: ``python measure.py``. Creation to first result, round trip of 1+1, memory of an idle kernel.

The client is bare ZeroMQ, so that the figures are those of the kernel and not of a client library.
"""

import hashlib
import hmac
import json
import os
import statistics
import time

import zmq
from harness import WarmParent


class BareClient:
    def __init__(self, request):
        with open(request["connection_file"]) as file:
            connection = json.load(file)
        self._key = connection["key"].encode()
        self._count = 0
        self._context = zmq.Context()
        self.shell = self._connect(zmq.DEALER, connection, "shell_port")
        self.iopub = self._connect(zmq.SUB, connection, "iopub_port")
        self.iopub.subscribe(b"")
        self.iopub.recv_multipart()  # the welcome

    def _connect(self, kind, connection, port):
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.connect("ipc://%s-%d" % (connection["ip"], connection[port]))
        return socket

    def execute(self, code):
        self._count += 1
        header = {"msg_id": str(self._count), "msg_type": "execute_request", "session": "s", "username": "u"}
        parts = [json.dumps(part).encode() for part in (header, {}, {}, {"code": code, "allow_stdin": False})]
        signature = hmac.new(self._key, b"".join(parts), hashlib.sha256).hexdigest().encode()
        self.shell.send_multipart([b"<IDS|MSG>", signature] + parts)
        while b'"idle"' not in self.iopub.recv_multipart()[6]:
            pass
        return self.shell.recv_multipart()

    def close(self):
        self.shell.close()
        self.iopub.close()
        self._context.term()


def create(parent):
    request = parent.prepare()
    began = time.perf_counter()
    answer = parent.connection.ask(**request)
    ready = time.perf_counter()
    client = BareClient(request)
    client.execute("1+1")
    return client, answer["pid"], (ready - began) * 1e3, (time.perf_counter() - began) * 1e3


def private_kilobytes(pid):
    with open("/proc/%d/smaps_rollup" % pid) as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))


def round_trips(client, count):
    times = []
    for _ in range(count):
        began = time.perf_counter()
        client.execute("1+1")
        times.append((time.perf_counter() - began) * 1e3)
    return times


def show(what, values, unit):
    middle = statistics.median(values)
    print("%-34s min %7.2f  median %7.2f  max %7.2f %s" % (what, min(values), middle, max(values), unit))


def main():
    parent = WarmParent()
    print("python %(python)s, ipython %(ipython)s, pyzmq %(pyzmq)s" % parent.connection.ask(op="hello"))
    made = [create(parent) for _ in range(20)]
    show("spawn answered", [ready for _, _, ready, _ in made], "ms")
    show("create to first result", [first for _, _, _, first in made], "ms")
    show("private memory after one cell", [private_kilobytes(pid) / 1024 for _, pid, _, _ in made], "MB")
    show("execute 1+1, reply and idle", round_trips(made[0][0], 1000), "ms")
    for client, pid, _, _ in made:
        client.close()
        os.kill(pid, 9)
    parent.close()


if __name__ == "__main__":
    main()
