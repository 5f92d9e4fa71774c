"""ipybox's own client, on whatever server it is told; and the gateway ipybox brings along."""

import asyncio
import json
import os
import pathlib
import socket
import time
import urllib.request
import zlib

from ipybox.kernel_mgr.client import KernelClient
from ipybox.kernel_mgr.server import KernelGateway
from service import serve

HOST = "127.0.0.1"
NEVER = 10_000  # seconds between pings: nobody reads while this program waits to be asked

loop = asyncio.new_event_loop()
gateways, clients = [], []


def gateway(limited: bool) -> int:
    """Starts a Jupyter Kernel Gateway, with or without its limits on output; gives its port."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    configuration = pathlib.Path(f"gateway-{port}")
    configuration.mkdir()
    limits = {"ZMQChannelsWebsocketConnection": {"limit_rate": limited}}
    (configuration / "jupyter_kernel_gateway_config.json").write_text(json.dumps(limits))
    surroundings = {**os.environ, "JUPYTER_CONFIG_DIR": str(configuration.absolute())}
    gateways.append(KernelGateway(HOST, port, env=surroundings))
    loop.run_until_complete(gateways[-1].start())
    await_answer(port)
    return port


def await_answer(port: int) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/api", timeout=60):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the gateway does not answer")


def connect(port: int, count: int) -> None:
    """Makes so many clients, each with a kernel; they take the place of those before."""
    disconnect()
    for _ in range(count):
        client = KernelClient(HOST, port, ping_interval=NEVER, kernel_init_timeout=60)
        loop.run_until_complete(client.connect())
        clients.append(client)


def disconnect() -> None:
    for client in clients:
        loop.run_until_complete(client.disconnect())
    clients.clear()


async def timed(client: KernelClient, code: str) -> tuple:
    """Milliseconds, and whether the client was given the value; a reply may overtake it."""
    begin = time.perf_counter()
    result = await client.execute(code)
    return (time.perf_counter() - begin) * 1000, result.text == "2"


def execute(code: str, count: int) -> dict:
    """Of one client: the milliseconds of each execution, and how many values were lost."""

    async def run() -> list:
        return [await timed(clients[0], code) for _ in range(count)]

    outcomes = loop.run_until_complete(run())
    return {"ms": [ms for ms, _ in outcomes], "lost": sum(not right for _, right in outcomes)}


def together(code: str, count: int) -> dict:
    """All clients at once, so many executions each: the milliseconds of the whole."""

    async def run(client: KernelClient) -> int:
        return sum([not (await timed(client, code))[1] for _ in range(count)])

    async def all_of_them() -> list:
        return await asyncio.gather(*(run(client) for client in clients))

    begin = time.perf_counter()
    lost = loop.run_until_complete(all_of_them())
    return {"ms": (time.perf_counter() - begin) * 1000, "lost": sum(lost)}


def output(code: str) -> dict:
    """How much of a cell's output the client yields, and how long that takes."""

    async def run() -> dict:
        arrived = {"bytes": 0, "crc": 0}
        async for item in clients[0].stream(code):
            if isinstance(item, str):
                text = item.encode()
                arrived["bytes"] += len(text)
                arrived["crc"] = zlib.crc32(text, arrived["crc"])
        return arrived

    begin = time.perf_counter()
    arrived = loop.run_until_complete(run())
    return {**arrived, "ms": (time.perf_counter() - begin) * 1000}


try:
    asks = (gateway, connect, execute, together, output)
    serve({ask.__name__: ask for ask in asks})
finally:
    disconnect()
    for started in gateways:
        loop.run_until_complete(started.stop())
