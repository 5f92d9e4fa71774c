"""One command in a sandbox of its own."""

import shutil
import subprocess
from dataclasses import replace

from ..husk import Connection, timed
from ..lines import Line, Sample

NAME = "run"
IMAGE = "husk-bench:latest"
BWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"] + [
    "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "true"
]


def run(bench) -> list:
    alone, through, command, engines = [], [], [], {}
    with bench.husk() as husk:
        connection = husk.connect()
        for _ in range(bench.times(20, 3)):
            once(connection)
        for _ in range(bench.times(50, 5)):
            alone.append(timed(lambda: subprocess.run(BWRAP, check=True)))
            through.append(timed(lambda: once(connection)))
            command.append(timed(lambda: husk.run("run", "--", "true")))
        for engine in engines_here():
            ask = [engine, "run", "--rm", "--network", "none", IMAGE, "true"]
            engines[engine] = [timed(lambda: subprocess.run(ask, check=True)) for _ in range(bench.times(10, 2))]
        connection.close()
    return lines(alone, through, command, engines)


def once(connection: Connection) -> None:
    """Makes a sandbox, runs `true` in it, removes it."""
    name = connection.ask("POST", "/sandboxes", {"temporary_seconds": 30})["name"]
    ended = connection.ask("POST", f"/sandboxes/{name}/exec", {"command": ["true"]})
    connection.ask("DELETE", f"/sandboxes/{name}")
    if ended["exit_code"] != 0:
        raise RuntimeError(f"true gave {ended}")


def engines_here() -> list:
    """Container engines that have the image: `tar -C busybox-tree -c . | docker import - husk-bench:latest` makes it."""
    found = []
    for engine in ("docker", "podman"):
        if shutil.which(engine):
            look = subprocess.run([engine, "image", "inspect", IMAGE], capture_output=True)
            found += [engine] if look.returncode == 0 else []
    return found


def lines(alone: list, through: list, command: list, engines: dict) -> list:
    beside_bwrap = Line(
        NAME, "`true` in a sandbox, through the daemon", Sample(through), "bwrap alone", Sample(alone), "< 3x its time"
    )
    held = Sample(through).value < 3 * Sample(alone).value
    notes = ["making, running and removing, over HTTP on one kept connection"]
    found = [replace(beside_bwrap, held=held, notes=notes)]
    found.append(Line(NAME, "`husk run true` from a shell", Sample(command), "bwrap alone", Sample(alone), ""))
    for engine, times in engines.items():
        line = Line(NAME, "`husk run true` from a shell", Sample(command), f"{engine} run", Sample(times), "≥ 10x")
        found.append(replace(line, held=line.ratio >= 10))
    return found
