"""What /proc says about processes, and ending those of a run."""

import os
import pathlib
import signal
import sys
import time

PROC = pathlib.Path("/proc")


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def rollup(pid: int) -> dict:
    """The process's memory in MB (10^6 bytes): private, proportional (pss) and resident."""
    kilobytes = {}
    for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines()[1:]:
        name, value = line.split(":")
        kilobytes[name] = int(value.split()[0])
    private = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    sizes = {"private": private, "pss": kilobytes["Pss"], "rss": kilobytes["Rss"]}
    return {name: size * 1024 / 1e6 for name, size in sizes.items()}


def status_mb(pid: int, field: str) -> float:
    for line in (PROC / str(pid) / "status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError(f"process {pid} has no {field}")


def rss(pid: int) -> float:
    return status_mb(pid, "VmRSS")


def peak(pid: int) -> float:
    """The most it has been since `forget_peak`: kept by Linux, so nothing falls between looks."""
    return status_mb(pid, "VmHWM")


def forget_peak(pid: int) -> None:
    (PROC / str(pid) / "clear_refs").write_text("5")


def available_mb() -> float:
    for line in (PROC / "meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise RuntimeError("Linux does not say how much memory is available")


def families() -> dict:
    """Every process's children."""
    children = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            children.setdefault(int(after_name[1]), []).append(int(entry.name))
    return children


def descendants(pid: int, children: dict) -> list:
    found = []
    for child in children.get(pid, []):
        found += [child, *descendants(child, children)]
    return found


def name(pid: int) -> str:
    return (PROC / str(pid) / "comm").read_text().strip()


def parent(pid: int) -> int:
    return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])


def alive(pid: int) -> bool:
    try:
        state = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def await_end(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def of(place: pathlib.Path) -> dict:
    """The processes whose environment or arguments name the run's folder, and their commands."""
    mark = os.fsencode(place) + b"/"
    found = {}
    for entry in PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes()
            if mark in arguments or mark in (entry / "environ").read_bytes():
                found[int(entry.name)] = arguments.replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return {pid: command for pid, command in found.items() if alive(pid)}


def end_all(place: pathlib.Path) -> list:
    """Ends what still runs, by its id; gives the commands of what had not ended by itself."""
    deadline = time.monotonic() + 5
    while of(place) and time.monotonic() < deadline:
        time.sleep(0.1)
    left = of(place)
    for ending in (signal.SIGTERM, signal.SIGKILL):
        for pid in of(place):
            try:
                os.kill(pid, ending)
            except ProcessLookupError:
                pass
        deadline = time.monotonic() + 3
        while of(place) and time.monotonic() < deadline:
            time.sleep(0.05)
    return [command.replace(str(place), "…")[:200] for command in left.values()]
