"""100 MB printed by one cell: does all of it arrive, how fast, and what does the daemon need."""

import zlib

from .. import processes
from ..husk import timed
from ..lines import Line, Sample

NAME = "output-100mb"
LARGEST_GROWTH = 64

CODE = """
for i in range({lines}):
    print("%08d" % i + "x" * 91)
"""


def run(bench) -> list:
    megabytes = bench.times(100, 5)
    lines = megabytes * 10_000
    code = CODE.format(lines=lines)
    expected = {"bytes": lines * 100, "crc": checksum(lines)}
    husk_times, peer_times, peer_bytes, peaks, exact = [], [], [], [], []
    with bench.husk() as husk, bench.peer("jupyter_driver") as jupyter:
        connection = husk.connect()
        connection.execute("printer", "1+1", create=True)
        pid = husk.daemon_pid()
        warm = CODE.format(lines=1000)
        for _ in range(bench.times(20, 2)):
            stream(connection, warm)
        jupyter.ask("start")
        jupyter.ask("output", code=warm)
        before = processes.rss(pid)
        for _ in range(bench.times(5, 2)):
            processes.forget_peak(pid)
            arrived = stream(connection, code)
            peaks.append(processes.peak(pid))
            exact.append({key: arrived[key] for key in expected} == expected)
            husk_times.append(arrived["ms"])
            theirs = jupyter.ask("output", code=code)
            peer_times.append(theirs["ms"])
            peer_bytes.append(theirs["bytes"])
        connection.close()
    growth = max(peaks) - before
    lost = [expected["bytes"] - arrived for arrived in peer_bytes]
    return [
        Line(
            NAME,
            f"{megabytes} MB in lines of 100 bytes, streamed",
            Sample(husk_times),
            "jupyter_client + ipykernel",
            Sample(peer_times),
            "no loss",
            all(exact),
            [
                f"Husk: {sum(exact)} of {len(exact)} times exactly the {expected['bytes']:,} bytes "
                "that were printed (length and CRC-32)",
                f"ipykernel: {max(lost):,} bytes lost at worst",
            ],
        ),
        Line(
            NAME,
            f"growth of the daemon's memory during it, {before:.0f} MB before",
            Sample([max(growth, 0.0)], "MB"),
            target=f"< {LARGEST_GROWTH} MB",
            held=growth < LARGEST_GROWTH,
        ),
    ]


def stream(connection, code: str) -> dict:
    arrived = {"bytes": 0, "crc": 0}

    def heard(text: bytes) -> None:
        arrived["bytes"] += len(text)
        arrived["crc"] = zlib.crc32(text, arrived["crc"])

    def listen() -> None:
        result = connection.stream("printer", code, heard)
        if result["status"] != "success":
            raise RuntimeError(f"the printing cell gave {result['status']}: {result['error']}")

    taken = timed(listen)
    return {"ms": taken, **arrived}


def checksum(lines: int) -> int:
    crc = 0
    for i in range(lines):
        crc = zlib.crc32(b"%08d" % i + b"x" * 91 + b"\n", crc)
    return crc
