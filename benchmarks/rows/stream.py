"""100 MB printed by one cell, over TCP: as server-sent events, and over a WebSocket."""

import zlib

from .. import processes
from ..husk import timed
from ..lines import Line, Sample
from ..served import Served
from .output import CODE, LARGEST_GROWTH, checksum

NAME = "stream-100mb"


def run(bench) -> list:
    megabytes = bench.times(100, 5)
    lines = megabytes * 10_000
    code, warm = CODE.format(lines=lines), CODE.format(lines=1000)
    found = {way: [] for way in ("events", "websocket", "gateway")}
    peaks = {"events": [], "websocket": []}
    with (
        Served(bench.husk()) as served,
        bench.peer("ipybox_driver") as ours,
        bench.peer("ipybox_driver") as theirs,
        bench.peer("ipybox_driver") as limited,
    ):
        connection = served.connect()
        connection.execute("printer", "1+1")
        ours.ask("connect", port=served.port, count=1)
        theirs.ask("connect", port=theirs.ask("gateway", limited=False), count=1)
        ways = {
            "events": lambda code: events(connection, code),
            "websocket": lambda code: ours.ask("output", code=code),
            "gateway": lambda code: theirs.ask("output", code=code),
        }
        for way in ways.values():
            for _ in range(bench.times(10, 2)):
                way(warm)
        pid = served.husk.daemon_pid()
        before = processes.rss(pid)
        for _ in range(bench.times(5, 2)):
            for name, way in ways.items():
                processes.forget_peak(pid)
                found[name].append(way(code))
                if name in peaks:
                    peaks[name].append(processes.peak(pid))
        # Not before: a connection that does nothing for minutes is closed by the gateway.
        limited.ask("connect", port=limited.ask("gateway", limited=True), count=1)
        dropped = lines * 100 - limited.ask("output", code=code)["bytes"]
        connection.close()
    expected = {"bytes": lines * 100, "crc": checksum(lines)}
    notes = [
        f"the gateway lost {worst(found['gateway'], expected):,} bytes at worst without its "
        f"limits, and with them, as it comes, {dropped:,} of {expected['bytes']:,}"
    ]
    peer = Sample([one["ms"] for one in found["gateway"]])
    return [
        line(f"{megabytes} MB as server-sent events", found["events"], peer, expected),
        line(f"{megabytes} MB to ipybox's client", found["websocket"], peer, expected, notes),
        *[growth(way, max(peaks[way]) - before, before) for way in peaks],
    ]


def events(connection, code: str) -> dict:
    arrived = {"bytes": 0, "crc": 0}
    last = []

    def listen() -> None:
        for kind, data in connection.events("printer", code):
            if kind == "stream":
                text = data["text"].encode()
                arrived["bytes"] += len(text)
                arrived["crc"] = zlib.crc32(text, arrived["crc"])
            last[:] = [(kind, data)]

    taken = timed(listen)
    kind, data = last[0]
    if kind != "done" or data["status"] != "success":
        raise RuntimeError(f"the printing cell ended with {kind} {data}")
    return {**arrived, "ms": taken}


def exact(one: dict, expected: dict) -> bool:
    return {key: one[key] for key in expected} == expected


def worst(found: list, expected: dict) -> int:
    return max(expected["bytes"] - one["bytes"] for one in found)


def line(what: str, found: list, peer: Sample, expected: dict, notes: list = ()) -> Line:
    right = sum(exact(one, expected) for one in found)
    return Line(
        NAME,
        what,
        Sample([one["ms"] for one in found]),
        "ipybox's client on a Kernel Gateway without limits",
        peer,
        "no loss",
        right == len(found),
        [f"{what}: {right} of {len(found)} times exactly what was printed", *notes],
    )


def growth(way: str, more: float, before: float) -> Line:
    names = {"events": "server-sent events", "websocket": "a WebSocket"}
    return Line(
        NAME,
        f"growth of the daemon's memory during {names[way]}, {before:.0f} MB before",
        Sample([max(more, 0.0)], "MB"),
        target=f"< {LARGEST_GROWTH} MB",
        held=more < LARGEST_GROWTH,
    )
