"""What an idle sandbox costs."""

import subprocess

from .. import processes
from ..lines import Line, Sample
from .live import sandboxes_memory
from .run import IMAGE, engines_here

NAME = "sandbox-memory"


def run(bench) -> list:
    count = bench.times(100, 10)
    with bench.husk() as husk:
        connection = husk.connect()
        connection.ask("POST", "/sandboxes", {"name": "first"})
        before = processes.rss(husk.daemon_pid())
        for i in range(count):
            connection.ask("POST", "/sandboxes", {"name": f"idle-{i}"})
        ours = sandboxes_memory(husk)
        after = processes.rss(husk.daemon_pid())
        connection.ask("POST", "/sandboxes/clean", {"force": True})
        connection.close()
    theirs = containers_memory(bench.times(5, 2)) if "`docker run`" in engines_here() else []
    notes = [f"the daemon's RSS: {before:.0f} MB before, {after:.0f} MB with {count} of them"]
    if theirs:
        notes.append("a container's is that of its shim and its first process, `sleep`")
    return [
        Line(
            NAME,
            f"private memory of each of {len(ours)} idle sandboxes",
            Sample(ours, "MB"),
            "docker container" if theirs else "",
            Sample(theirs, "MB") if theirs else None,
            notes=notes,
        )
    ]


def containers_memory(count: int) -> list:
    found = []
    for _ in range(count):
        started = docker("run", "-d", "--network", "none", IMAGE, "sleep", "600")
        pid = int(docker("inspect", "-f", "{{.State.Pid}}", started))
        found.append(sum(processes.rollup(part)["private"] for part in (pid, processes.parent(pid))))
        docker("rm", "-f", started)
    return found


def docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], check=True, capture_output=True, text=True).stdout.strip()
