"""One command in a sandbox of its own."""

import functools
import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import replace

from ..husk import Connection, timed
from ..lines import Line, Sample

NAME = "run"
# `tar -C busybox-tree -c . | docker import - husk-bench:latest` makes it.
IMAGE = "husk-bench:latest"
# Its defaults are more than a process of this machine may give away.
LIMITS = {"podman": ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"]}
API_HOST = {"NetworkMode": "none"}
BWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"] + [
    "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "true"
]


def run(bench) -> list:
    alone, through, command, engines = [], [], [], {}
    with bench.husk() as husk:
        connection = husk.connect()
        for _ in range(bench.times(20, 3)):
            once(connection)
        found = engines_here()
        for i in range(bench.times(50, 5)):
            alone.append(timed(lambda: subprocess.run(BWRAP, check=True)))
            through.append(timed(lambda: once(connection)))
            command.append(timed(lambda: husk.run("run", "--", "true")))
            for engine, ask in found.items():
                if i % 5 == 0:
                    engines.setdefault(engine, []).append(timed(ask))
        connection.close()
    return lines(alone, through, command, engines)


def once(connection: Connection) -> None:
    """Makes a sandbox, runs `true` in it, removes it."""
    name = connection.ask("POST", "/sandboxes", {"temporary_seconds": 30})["name"]
    ended = connection.ask("POST", f"/sandboxes/{name}/exec", {"command": ["true"]})
    connection.ask("DELETE", f"/sandboxes/{name}")
    if ended["exit_code"] != 0:
        raise RuntimeError(f"true gave {ended}")


def engines_here() -> dict:
    """Ways to run `true` in a container, by name, of engines that have the image and can start it."""
    found = {}
    for engine in ("docker", "podman"):
        ask = [engine, "run", "--rm", "--network", "none", *LIMITS.get(engine, []), IMAGE, "true"]
        if shutil.which(engine) and subprocess.run(ask, capture_output=True).returncode == 0:
            found[f"`{engine} run`"] = functools.partial(subprocess.run, ask, check=True, capture_output=True)
    if "`docker run`" in found and os.environ.get("DOCKER_HOST", "").startswith("unix://"):
        found["docker through its API"] = functools.partial(api_once, os.environ["DOCKER_HOST"][len("unix://") :])
    return found


def api_once(path: str) -> None:
    """What `docker run --rm` asks of its daemon, without the command."""
    connection = Connection(pathlib.Path(path), {})
    made = connection.ask("POST", "/containers/create", {"Image": IMAGE, "Cmd": ["true"], "HostConfig": API_HOST})
    for action, answered in (("start", False), ("wait", True)):
        connection.request("POST", f"/containers/{made['Id']}/{action}")
        answer = connection.getresponse().read()
        if answered and json.loads(answer)["StatusCode"] != 0:
            raise RuntimeError(f"true gave {answer}")
    connection.request("DELETE", f"/containers/{made['Id']}")
    connection.getresponse().read()
    connection.close()


def lines(alone: list, through: list, command: list, engines: dict) -> list:
    what, shell = "`true` in a sandbox, through the daemon", "`husk run true` from a shell"
    beside_bwrap = Line(NAME, what, Sample(through), "bwrap alone", Sample(alone), "< 3x its time")
    held = Sample(through).value < 3 * Sample(alone).value
    notes = ["making, running and removing, over HTTP on one kept connection; the sandboxes come from the pool"]
    found = [replace(beside_bwrap, held=held, notes=notes)]
    for engine, times in engines.items():
        line = Line(NAME, what, Sample(through), engine, Sample(times), "≥ 10x")
        found.append(replace(line, held=line.ratio >= 10))
    found.append(Line(NAME, shell, Sample(command), "bwrap alone", Sample(alone), ""))
    for engine, times in engines.items():
        if "API" not in engine:
            found.append(Line(NAME, shell, Sample(command), engine, Sample(times), ""))
    return found
