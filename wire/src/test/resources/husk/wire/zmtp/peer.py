"""A ROUTER and a REP that echo, and an XPUB that answers subscriptions, until stdin closes."""

import json
import sys

import zmq

context = zmq.Context()
sockets = {}
for kind, base in zip(("ROUTER", "REP", "XPUB"), sys.argv[1:]):
    socket = context.socket(getattr(zmq, kind))
    socket.setsockopt(zmq.LINGER, 0)
    if kind == "ROUTER":
        socket.setsockopt(zmq.HEARTBEAT_IVL, 5)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 30_000)
    socket.bind(base)
    sockets[kind] = socket
print(json.dumps({k: s.getsockopt(zmq.LAST_ENDPOINT).decode() for k, s in sockets.items()}), flush=True)

poller = zmq.Poller()
poller.register(sys.stdin.fileno(), zmq.POLLIN)
for socket in sockets.values():
    poller.register(socket, zmq.POLLIN)
while True:
    ready = dict(poller.poll())
    if sys.stdin.fileno() in ready:
        break
    for kind in ("ROUTER", "REP"):
        if sockets[kind] in ready:
            sockets[kind].send_multipart(sockets[kind].recv_multipart())
    if sockets["XPUB"] in ready:
        subscription = sockets["XPUB"].recv()
        if subscription[:1] == b"\x01":
            for number in range(1000):
                sockets["XPUB"].send_multipart([b"other", b"unwanted"])
                sockets["XPUB"].send_multipart([subscription[1:], str(number).encode()])
context.destroy(linger=0)
